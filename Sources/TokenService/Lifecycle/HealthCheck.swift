import AsyncHTTPClient
import FleetToken
package import ServiceSupport

/// Checks the health of a running service.
package enum HealthCheck {
    /// Requests `/readyz` of a service's admin listener.
    ///
    /// - Returns: nil if the service is healthy; otherwise the reason. Two seconds without a response count as a
    ///   failure.
    package static func problem(admin: ListenAddress) async -> String? {
        let url = "http://\(admin)/readyz"
        var request = OutgoingRequest(.get, url)
        // A new connection each time: a persistent one would work even if no new connection is accepted.
        request.headers = [(name: "Connection", value: "close")]
        request.timeout = .seconds(2)
        do {
            let response = try await OutgoingClient(.shared, clock: .system).send(request)
            guard response.status != 200 else { return nil }
            return "\(url) returned \(response.status): \(response.body.revealText())"
        } catch {
            return "No response from \(url). Check that the service is running and that this is its admin.listen."
        }
    }
}
