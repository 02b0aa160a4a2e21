import AsyncHTTPClient

/// How the service reaches others: issuers for their keys, and webhooks.
struct ProductionNetwork: Sendable {
    /// Fetches an issuer's keys.
    let keySets: KeySetTransfer
    /// Asks a webhook.
    let webhooks: any WebhookTransport
    /// Closes all connections.
    let shutdown: @Sendable () async -> Void

    /// The network, by clients of its own, which ``shutdown`` has to end.
    static func live() -> ProductionNetwork {
        let keySets = KeySetClient()
        let webhooks = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .webhook)
        return ProductionNetwork(
            keySets: { try await keySets.answer(from: $0) },
            webhooks: HTTPWebhookTransport(client: webhooks),
            shutdown: {
                try? await keySets.shutdown()
                try? await webhooks.shutdown()
            }
        )
    }

    /// Reaches nobody: for looking at a configuration.
    static let none = ProductionNetwork(
        keySets: { _ in throw KeySetTransferError("The network is not used.") },
        webhooks: NoTransport(),
        shutdown: {}
    )

    private struct NoTransport: WebhookTransport {
        func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
            throw .failed("the network is not used")
        }
    }
}
