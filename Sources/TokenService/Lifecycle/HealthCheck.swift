import AsyncHTTPClient
import NIOCore
import NIOHTTP1
package import ServiceConfiguration

/// Asks a running service whether it is well.
package enum HealthCheck {
    /// What to ask.
    package enum Question: String, Sendable {
        /// Whether the process can answer.
        case isAlive = "/livez"
        /// Whether callers may be sent to it.
        case isReady = "/readyz"
    }

    /// Asks a service's admin listener.
    ///
    /// - Parameters:
    ///   - question: What to ask.
    ///   - admin: Where the admin listener is.
    /// - Returns: nil when the answer is yes; else why not, as far as is known. Two seconds without an answer are a no.
    package static func obstacle(_ question: Question, admin: ListenAddress) async -> String? {
        let url = "http://\(admin)\(question.rawValue)"
        do {
            var request = HTTPClientRequest(url: url)
            // A new connection each time: one that is kept would be answered where no other is accepted.
            request.headers.add(name: "Connection", value: "close")
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(2))
            let body = try await answer.body.collect(upTo: 64 * 1024)
            guard answer.status != .ok else { return nil }
            return "\(url) answers \(answer.status.code): \(String(buffer: body))"
        } catch {
            return "\(url) does not answer. Is the service running, and is this its admin.listen?"
        }
    }
}
