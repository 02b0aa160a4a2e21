import FleetToken

/// A refusal past a limit: it was counted, and leaves no line of its own in the trail and the log.
struct LimitedRefusal: Error, Hashable {
    /// What the caller is told.
    let refusal: TokenError
}
