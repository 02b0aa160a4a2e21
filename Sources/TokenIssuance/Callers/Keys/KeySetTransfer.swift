package import ServiceConfiguration

/// How key sets come over the network; tests put their own in its place.
package typealias KeySetTransfer = @Sendable (KeySetURL) async throws -> KeySetAnswer

/// An answer to a request for a key set.
package struct KeySetAnswer: Sendable {
    /// The HTTP status code.
    let status: Int
    /// For how many seconds it asks to be left alone, if it does.
    var retryAfter: Double?
    /// The body, of at most ``IssuerKeySet/maximumSize`` bytes.
    let body: [UInt8]

    /// Creates a key set answer.
    package init(status: Int, retryAfter: Double? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why a key set did not come over the network.
package struct KeySetTransferError: Error, Hashable, CustomStringConvertible {
    /// What happened, in words for the operator.
    package let description: String
    /// For how many seconds the issuer asks to be left alone, if it does.
    let retryAfter: Double?

    package init(_ description: String, retryAfter: Double? = nil) {
        self.description = description
        self.retryAfter = retryAfter
    }
}
