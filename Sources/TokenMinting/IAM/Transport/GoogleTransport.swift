public import FleetToken

/// Sends requests to Google.
public protocol GoogleTransport: Sendable {
    /// Sends a request and reads the answer whole; it follows no redirect and repeats nothing.
    ///
    /// It takes as long as it takes, until whoever called it cancels it.
    func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer
}

/// A request, ready to be sent.
public struct GoogleRequest: Sendable {
    /// What is done.
    public enum Method: String, Hashable, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends a body.
        case post = "POST"
    }

    /// What is done.
    public let method: Method
    /// To what.
    public let url: String
    /// The header fields that are no secret.
    public var headers: [(name: String, value: String)] = []
    /// The access token that goes into `Authorization`.
    public var bearer: Secret?
    /// The body; it may hold a signed assertion, or what a token will say.
    public var body: Secret?
    /// How many bytes the answer may have.
    public var maximumAnswerSize = 64 * 1024

    init(_ method: Method, _ url: String) {
        self.method = method
        self.url = url
    }
}

/// An answer as it came.
public struct GoogleAnswer: Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The header fields, their names in lower case; of several with one name the last.
    public let headers: [String: String]
    /// The body, which may hold a token.
    public let body: Secret

    /// An answer.
    public init(status: Int, headers: [String: String] = [:], body: Secret) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer.
public enum GoogleTransportError: Error, Hashable {
    /// It has more bytes than the request allows.
    case tooLarge
    /// Another reason; a name for it.
    case failed(String)
}
