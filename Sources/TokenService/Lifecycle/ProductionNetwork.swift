import AsyncHTTPClient
import ServiceSupport
package import TokenMinting

/// How the service reaches others: issuers for their keys, webhooks, and Google for signatures.
package final class ProductionNetwork: Sendable {
    /// Fetches issuers' keys.
    let keySets: any OutgoingHTTP
    /// Calls webhooks.
    let webhooks: any OutgoingHTTP
    /// Sends requests to Google.
    package let google: GoogleClient
    private let clients: [HTTPClient]

    /// Creates a network, whose connections end with it.
    init(google endpoints: GoogleEndpoints, clock: ServiceClock) {
        // Each has a client of its own, so that they share nothing that could be used up.
        clients = (0..<3).map { _ in HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing) }
        keySets = OutgoingClient(clients[0], clock: clock)
        webhooks = OutgoingClient(clients[1], clock: clock)
        google = GoogleClient(http: OutgoingClient(clients[2], clock: clock), endpoints: endpoints, clock: clock)
    }

    init(keySets: any OutgoingHTTP, webhooks: any OutgoingHTTP, google: GoogleClient) {
        (self.keySets, self.webhooks, self.google, clients) = (keySets, webhooks, google, [])
    }

    deinit {
        // Waits for none: waiting callers have their response by then, and a connection that is still being made would
        // end only with its timeout.
        for client in clients { Task { try? await client.shutdown() } }
    }

    /// A network without access, for checking a configuration.
    package static let none = ProductionNetwork(
        keySets: NoAccess(),
        webhooks: NoAccess(),
        google: GoogleClient(http: NoAccess(), clock: .system)
    )

    private struct NoAccess: OutgoingHTTP {
        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
            throw .failed("network access is disabled")
        }
    }
}
