import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceConfiguration
package import ServiceSupport

/// Checks the health of a running service.
package enum HealthCheck {
    /// The check to perform.
    package enum Question: String, Sendable {
        /// Whether the process responds.
        case isAlive = "/livez"
        /// Whether callers may be sent to it.
        case isReady = "/readyz"
    }

    /// Requests a service's admin listener.
    ///
    /// - Parameters:
    ///   - question: The check to perform.
    ///   - admin: The address of the admin listener.
    /// - Returns: nil if the service is healthy; otherwise the reason. Two seconds without a response count as a
    ///   failure.
    package static func problem(_ question: Question, admin: ListenAddress) async -> String? {
        let url = "http://\(admin)\(question.rawValue)"
        do {
            var request = HTTPClientRequest(url: url)
            // A new connection each time: a persistent one would work even if no new connection is accepted.
            request.headers.add(name: "Connection", value: "close")
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(2))
            let body = try await answer.body.collect(upTo: 64 * 1024)
            guard answer.status != .ok else { return nil }
            return "\(url) returned \(answer.status.code): \(String(buffer: body))"
        } catch {
            return "No response from \(url). Check that the service is running and that this is its admin.listen."
        }
    }
}
