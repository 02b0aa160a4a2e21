package import FleetToken

/// Sends requests to Google.
package protocol GoogleTransport: Sendable {
    /// Sends a request and reads the response whole; it follows no redirect and repeats nothing.
    ///
    /// It has no time limit; cancel the task to stop it.
    func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer
}

/// A request, ready to be sent.
package struct GoogleRequest: Sendable {
    /// The method.
    package enum Method: String, Hashable, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends a body.
        case post = "POST"
    }

    package let method: Method
    /// To what.
    package let url: String
    /// The header fields without secrets.
    package var headers: [(name: String, value: String)] = []
    /// The access token that goes into `Authorization`.
    package var bearer: Secret?
    /// The body; it may contain a signed assertion, or the claims of a token.
    package var body: Secret?
    /// The maximum size of the response in bytes.
    package var maximumAnswerSize = 64 * 1024

    init(_ method: Method, _ url: String) {
        self.method = method
        self.url = url
    }
}

/// A response.
package struct GoogleAnswer: Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The header fields, their names in lower case; of several with one name the last.
    package let headers: [String: String]
    /// The body, which may hold a token.
    package let body: Secret

    /// Creates a response.
    package init(status: Int, headers: [String: String] = [:], body: Secret) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no response.
package enum GoogleTransportError: Error, Hashable {
    /// It has more bytes than the request allows.
    case tooLarge
    /// Another reason; a name for it.
    case failed(String)
}
