import AsyncHTTPClient
import TokenIssuance
package import TokenMinting

/// How the service reaches others: issuers for their keys, webhooks, and Google for signatures.
package struct ProductionNetwork: Sendable {
    /// Fetches an issuer's keys.
    let keySets: KeySetTransfer
    /// Asks a webhook.
    let webhooks: any WebhookTransport
    /// Asks Google.
    package let google: GoogleClient
    /// Begins to close all connections.
    ///
    /// It waits for none: whoever waited for an answer has one by then, and a connection that is still being made would end
    /// only with its own time-out.
    let shutdown: @Sendable () -> Void

    /// The network, by clients of its own, which ``shutdown`` has to end.
    ///
    /// - Parameter endpoints: Where Google is.
    /// - Returns: The network.
    static func live(google endpoints: GoogleEndpoints) -> ProductionNetwork {
        let keySets = KeySetClient()
        // Each has a client of its own, so that they share nothing that could be used up.
        let webhooks = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let google = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        return ProductionNetwork(
            keySets: { try await keySets.answer(from: $0) },
            webhooks: HTTPWebhookTransport(client: webhooks),
            google: GoogleClient(transport: HTTPGoogleTransport(client: google), endpoints: endpoints),
            shutdown: {
                Task { try? await keySets.shutdown() }
                Task { try? await webhooks.shutdown() }
                Task { try? await google.shutdown() }
            }
        )
    }

    /// Reaches nobody: for looking at a configuration.
    package static let none = ProductionNetwork(
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
