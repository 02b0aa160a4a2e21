package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Sends requests through the app's transport or, without one, through a session of its own.
package struct HTTPSender: Sendable {
    /// The sender's own session; nil if the app provides a transport.
    let session: SessionTransport?
    private let transport: HTTPTransport
    private let bodyLimit: Int

    /// Creates a sender with a time limit for its own session, in seconds, and a size limit for a response's body.
    package init(_ transport: HTTPTransport, timeout: TimeInterval, bodyLimit: Int) {
        session = transport.send == nil ? SessionTransport(timeout: timeout, bodyLimit: bodyLimit) : nil
        self.transport = transport
        self.bodyLimit = bodyLimit
    }

    /// Sends a request; cancelling the task ends it.
    package func send(_ request: URLRequest) async throws -> HTTPAnswer {
        if let session { return try await session.send(request) }
        guard let send = transport.send else { throw TokenProviderError.noAnswer }
        let (body, response) = try await send(request)
        return try HTTPAnswer(body, response, bodyLimit: bodyLimit)
    }
}
