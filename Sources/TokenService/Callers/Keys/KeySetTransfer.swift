/// How key sets come over the network; tests put their own in its place.
typealias KeySetTransfer = @Sendable (KeySetURL) async throws -> KeySetAnswer

/// An answer to a request for a key set.
struct KeySetAnswer: Sendable {
    /// The HTTP status code.
    let status: Int
    /// The body, of at most ``IssuerKeySet/maximumSize`` bytes.
    let body: [UInt8]
}

/// Why a key set did not come over the network.
struct KeySetTransferError: Error, Hashable, CustomStringConvertible {
    /// What happened, in words for the operator.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
