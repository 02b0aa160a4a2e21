import AsyncHTTPClient
import ServiceSupport
package import TokenMinting

/// How the service reaches others: issuers for their keys, webhooks, and Google for signatures.
package struct ProductionNetwork: Sendable {
    /// Fetches issuers' keys.
    let keySets: any OutgoingHTTP
    /// Calls webhooks.
    let webhooks: any OutgoingHTTP
    /// Sends requests to Google.
    package let google: GoogleClient
    /// Begins to close all connections.
    ///
    /// It waits for none: waiting callers have their response by then, and a connection that is still being made would
    /// end only with its timeout.
    let shutdown: @Sendable () -> Void

    /// Returns a network with its own clients, which ``shutdown`` must close.
    ///
    /// - Parameters:
    ///   - endpoints: Where Google is.
    ///   - clock: The time.
    /// - Returns: The network.
    static func live(google endpoints: GoogleEndpoints, clock: ServiceClock) -> ProductionNetwork {
        // Each has a client of its own, so that they share nothing that could be used up.
        let keySets = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let webhooks = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let google = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        return ProductionNetwork(
            keySets: OutgoingClient(keySets, clock: clock),
            webhooks: OutgoingClient(webhooks, clock: clock),
            google: GoogleClient(http: OutgoingClient(google, clock: clock), endpoints: endpoints, clock: clock),
            shutdown: {
                for client in [keySets, webhooks, google] { Task { try? await client.shutdown() } }
            }
        )
    }

    /// A network without access, for checking a configuration.
    package static let none = ProductionNetwork(
        keySets: NoAccess(),
        webhooks: NoAccess(),
        google: GoogleClient(http: NoAccess(), clock: .system),
        shutdown: {}
    )

    private struct NoAccess: OutgoingHTTP {
        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
            throw .failed("network access is disabled")
        }
    }
}
