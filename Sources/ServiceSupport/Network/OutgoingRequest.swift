package import FleetToken

/// A request to another server.
package struct OutgoingRequest: Sendable {
    /// The HTTP method.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package let method: Method
    package let url: String
    /// The header fields without secrets.
    package var headers: [(name: String, value: String)] = []
    /// The access token that goes into `Authorization`.
    package var bearer: Secret?
    /// The body; it may contain a signed assertion, or the claims of a token.
    package var body: Secret?
    /// The maximum size of the response's body, in bytes.
    package var maximumSize = 64 * 1024
    /// The certificate authorities to trust instead of the system's, PEM; nil for the system's.
    package var authorities: [UInt8]?
    /// The maximum time to the last byte of the response.
    package var timeout = Duration.seconds(10)

    package init(_ method: Method, _ url: String) {
        self.method = method
        self.url = url
    }
}
