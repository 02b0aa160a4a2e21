import Synchronization

@testable import TokenIssuance

/// Answers webhooks' requests without a network, and remembers them.
final class StubTransport: WebhookTransport {
    private let reply: @Sendable (WebhookRequest) async throws(WebhookFailure) -> WebhookReply
    private let recorded = Mutex<[WebhookRequest]>([])

    init(_ reply: @escaping @Sendable (WebhookRequest) async throws(WebhookFailure) -> WebhookReply) {
        self.reply = reply
    }

    convenience init(_ status: Int, _ body: String) {
        self.init { (_: WebhookRequest) throws(WebhookFailure) in WebhookReply(status: status, body: Array(body.utf8)) }
    }

    var requests: [WebhookRequest] { recorded.withLock { $0 } }

    func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
        recorded.withLock { $0.append(request) }
        return try await reply(request)
    }
}
