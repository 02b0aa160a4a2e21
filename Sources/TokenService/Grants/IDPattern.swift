import FleetToken

/// A pattern for whole IDs, matched in time linear in the ID's length.
struct IDPattern: Sendable, Hashable {
    /// The pattern as it was written.
    let text: String
}
