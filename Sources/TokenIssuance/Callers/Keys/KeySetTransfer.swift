package import ServiceConfiguration

/// How documents of issuers come over the network; tests put their own in its place.
///
/// The certificate authorities, PEM, replace the system's.
package typealias KeySetTransfer = @Sendable (KeySetURL, _ authorities: [UInt8]?) async throws -> KeySetAnswer

/// An answer to a request for a key set.
package struct KeySetAnswer: Sendable {
    /// The HTTP status code.
    let status: Int
    /// The seconds after which to retry, if the response says so.
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
    /// A description of the problem, for the operator.
    package let description: String
    /// The seconds after which to retry, if the issuer says so.
    let retryAfter: Double?

    package init(_ description: String, retryAfter: Double? = nil) {
        self.description = description
        self.retryAfter = retryAfter
    }
}
