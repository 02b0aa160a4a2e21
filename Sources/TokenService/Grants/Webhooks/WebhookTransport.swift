/// Sends a webhook's requests.
protocol WebhookTransport: Sendable {
    /// Posts a request and reads the answer whole.
    ///
    /// It follows no redirect, and gives up when the request's time is over, however far the answer has come.
    func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply
}

/// A request, ready to be sent.
struct WebhookRequest: Sendable {
    /// How many bytes the answer may have: 64 KiB.
    static let maximumReplySize = 64 * 1024
    /// For how many seconds an answer can send callers away: five minutes.
    static let longestPause = 300.0

    let url: WebhookURL
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// How long everything may take together, from when it is sent.
    let timeout: Duration
}

/// An answer as it came.
struct WebhookReply: Sendable, Hashable {
    let status: Int
    let body: [UInt8]
    /// For how many seconds it asks to be left alone, if it does.
    var retryAfter: Double?
}

/// Why there is no answer.
enum WebhookFailure: Error, Hashable {
    /// It wasn't there in time.
    case timedOut
    /// It has more bytes than ``WebhookRequest/maximumReplySize``.
    case tooLarge
    /// Another reason; a name for it.
    case failed(String)
}
