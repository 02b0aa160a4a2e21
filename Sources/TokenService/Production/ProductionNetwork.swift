import AsyncHTTPClient
import TokenMinting

/// How the service reaches others: issuers for their keys, webhooks, and Google for signatures.
struct ProductionNetwork: Sendable {
    /// Fetches an issuer's keys.
    let keySets: KeySetTransfer
    /// Asks a webhook.
    let webhooks: any WebhookTransport
    /// Asks Google.
    let google: GoogleClient
    /// Closes all connections.
    let shutdown: @Sendable () async -> Void

    /// The network, by clients of its own, which ``shutdown`` has to end.
    ///
    /// - Parameter endpoints: Where Google is.
    /// - Returns: The network.
    static func live(google endpoints: GoogleEndpoints) -> ProductionNetwork {
        let keySets = KeySetClient()
        let webhooks = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .webhook)
        let google = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .google)
        return ProductionNetwork(
            keySets: { try await keySets.answer(from: $0) },
            webhooks: HTTPWebhookTransport(client: webhooks),
            google: GoogleClient(transport: HTTPGoogleTransport(client: google), endpoints: endpoints),
            shutdown: {
                try? await keySets.shutdown()
                try? await webhooks.shutdown()
                try? await google.shutdown()
            }
        )
    }

    /// Reaches nobody: for looking at a configuration.
    static let none = ProductionNetwork(
        keySets: { _ in throw KeySetTransferError("The network is not used.") },
        webhooks: NoTransport(),
        google: GoogleClient(transport: NoTransport()),
        shutdown: {}
    )

    private struct NoTransport: WebhookTransport, GoogleTransport {
        func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer {
            throw .failed("the network is not used")
        }

        func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
            throw .failed("the network is not used")
        }
    }
}
