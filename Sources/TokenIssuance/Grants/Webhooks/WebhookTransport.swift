package import ServiceConfiguration

/// Sends a webhook's requests.
package protocol WebhookTransport: Sendable {
    /// Posts a request and reads the answer whole.
    ///
    /// It follows no redirect, and gives up when the request's time is over, however far the answer has come.
    func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply
}

/// A request, ready to be sent.
package struct WebhookRequest: Sendable {
    /// How many bytes the answer may have: 64 KiB.
    package static let maximumReplySize = 64 * 1024
    /// For how many seconds an answer can send callers away: five minutes.
    package static let longestPause = 300.0

    package let url: WebhookURL
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// How long everything may take together, from when it is sent.
    package let timeout: Duration
}

/// An answer as it came.
package struct WebhookReply: Sendable, Hashable {
    let status: Int
    let body: [UInt8]
    /// The seconds after which to retry, if the response says so.
    var retryAfter: Double?

    /// Creates a webhook reply.
    package init(status: Int, body: [UInt8], retryAfter: Double? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}

/// Why there is no response.
package enum WebhookFailure: Error, Hashable {
    /// The response did not arrive in time.
    case timedOut
    /// The response has more bytes than ``WebhookRequest/maximumReplySize``.
    case tooLarge
    /// Another reason; a name for it.
    case failed(String)
}
