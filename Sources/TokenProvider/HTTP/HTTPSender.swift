package import Foundation
package import Timing

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Sends requests through a session of its own, or the app's transport.
package struct HTTPSender: Sendable {
    private let transport: HTTPTransport
    /// The sender's own session; nil if the app's function sends requests.
    let session: SessionTransport?
    private let timeout: TimeInterval
    private let bodyLimit: Int

    /// Creates a sender with a time limit in seconds and a size limit for a response's body in bytes.
    package init(
        _ transport: HTTPTransport,
        timeout: TimeInterval,
        bodyLimit: Int,
        scheduler: Scheduler = .system
    ) {
        self.transport = transport
        self.timeout = timeout
        self.bodyLimit = bodyLimit
        switch transport.kind {
        case .session(let settings, let serverTrust):
            session = SessionTransport(
                settings: settings,
                serverTrust: serverTrust,
                timeout: timeout,
                bodyLimit: bodyLimit,
                scheduler: scheduler
            )
        case .function: session = nil
        }
    }

    /// Sends a request; cancelling the task ends it.
    package func send(_ request: URLRequest) async throws -> TransferResponse {
        if let session { return try await session.send(request) }
        guard case .function(let send) = transport.kind else { throw TokenProviderError.noAnswer }
        let (body, response) = try await send(request, timeout, bodyLimit)
        return try TransferResponse(body, response, to: request, bodyLimit: bodyLimit)
    }
}
