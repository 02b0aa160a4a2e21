import AsyncHTTPClient
import ServiceSupport
import TokenIssuance
package import TokenMinting

/// How the service reaches others: issuers for their keys, webhooks, and Google for signatures.
package struct ProductionNetwork: Sendable {
    /// Fetches an issuer's keys.
    let keySets: KeySetTransfer
    /// Calls a webhook.
    let webhooks: any WebhookTransport
    /// Sends requests to Google.
    package let google: GoogleClient
    /// Begins to close all connections.
    ///
    /// It waits for none: waiting callers have their response by then, and a connection that is still being made would
    /// end only with its timeout.
    let shutdown: @Sendable () -> Void

    /// Returns a network with its own clients, which ``shutdown`` must close.
    ///
    /// - Parameter endpoints: Where Google is.
    /// - Returns: The network.
    static func live(google endpoints: GoogleEndpoints) -> ProductionNetwork {
        let keySets = KeySetClient()
        // Each has a client of its own, so that they share nothing that could be used up.
        let webhooks = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let google = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        return ProductionNetwork(
            keySets: { try await keySets.answer(from: $0, trusting: $1) },
            webhooks: HTTPWebhookTransport(client: webhooks),
            google: GoogleClient(transport: HTTPGoogleTransport(client: google), endpoints: endpoints),
            shutdown: {
                Task { try? await keySets.shutdown() }
                Task { try? await webhooks.shutdown() }
                Task { try? await google.shutdown() }
            }
        )
    }

    /// A network without access, for checking a configuration.
    package static let none = ProductionNetwork(
        keySets: { _, _ in throw KeySetTransferError("Network access is disabled.") },
        webhooks: NoTransport(),
        google: GoogleClient(transport: NoTransport()),
        shutdown: {}
    )

    private struct NoTransport: WebhookTransport, GoogleTransport {
        func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer {
            throw .failed("network access is disabled")
        }

        func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
            throw .failed("network access is disabled")
        }
    }
}
