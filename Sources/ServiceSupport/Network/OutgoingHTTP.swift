package import FleetToken
import NIOCore

/// Sends requests to other servers: the one port through which Google, webhooks and issuers are reached.
///
/// It repeats nothing because of a status and knows no server. What to send, how long to wait, and what a status or an error
/// means is decided by its users:
///
/// ```
/// var request = OutgoingRequest(.get, "https://issuer.example/keys")
/// request.timeout = .seconds(10)
/// let response = try await http.send(request)
/// ```
///
/// In the service it is an ``OutgoingClient``; tests put a fake in its place.
package protocol OutgoingHTTP: Sendable {
    /// Sends a request and reads the whole response; redirects are responses like others.
    ///
    /// If the request has no timeout, cancel the task to stop it.
    ///
    /// - Throws: ``OutgoingError`` if there is no response.
    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse
}

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
    /// The time to the last byte of the response; nil for no limit.
    package var timeout: Duration?

    package init(_ method: Method, _ url: String) {
        self.method = method
        self.url = url
    }
}

/// The whole response of another server.
package struct OutgoingResponse: Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The header fields by their names in lower case; of several with one name the first.
    package let headers: [String: String]
    /// The body; it may contain a token.
    package let body: Secret

    package init(status: Int, headers: [String: String] = [:], body: Secret = Secret([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The content coding of the body, which was not requested: a known name, or "an unknown one"; nil for none.
    package var contentCoding: String? {
        guard let field = headers["content-encoding"], !field.utf8.isEqual(ignoringCase: "identity"),
            !field.utf8.isEmpty
        else { return nil }
        return ["gzip", "br", "deflate", "zstd", "compress"].first { field.utf8.isEqual(ignoringCase: $0) }
            ?? "an unknown one"
    }

    /// Returns the seconds of `Retry-After`, at most `maximum`; nil if the field is missing or invalid.
    package func retryAfter(maximum: Double = RetryAfter.maximum) -> Double? {
        RetryAfter.seconds(headers["retry-after"], date: headers["date"].flatMap(HTTPDate.parse), maximum: maximum)
    }
}

/// Why there is no response from another server.
package enum OutgoingError: Error, Hashable, CustomStringConvertible {
    /// It has more bytes than the request allows.
    case tooLarge
    /// It took longer than the request allows.
    case timedOut
    /// Another reason, in a few words that contain nothing that the server sent.
    case failed(String)

    /// Creates the error for the one that a connection ended with.
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as OutgoingError: error
            case is NIOTooManyBytesError: .tooLarge
            default: .failed(ConnectionFailure.text(of: error))
            }
    }

    /// The reason in short, for an operator.
    package var description: String {
        switch self {
        case .tooLarge: "the response is too large"
        case .timedOut: "timed out"
        case .failed(let reason): reason
        }
    }
}
