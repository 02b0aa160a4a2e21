import FleetToken
package import ServiceSupport
import Synchronization

/// Responds to requests without a network, and records them.
package final class FakeHTTP: OutgoingHTTP {
    private let respond: @Sendable (OutgoingRequest) async throws -> OutgoingResponse
    private let recorded = Mutex<[OutgoingRequest]>([])

    /// Creates a server that responds as the closure does; an error that it throws becomes an ``OutgoingError``.
    package init(_ respond: @escaping @Sendable (OutgoingRequest) async throws -> OutgoingResponse) {
        self.respond = respond
    }

    /// Creates a server with one response to all requests.
    package convenience init(_ status: Int, _ body: some StringProtocol, headers: [String: String] = [:]) {
        let response = OutgoingResponse(status: status, headers: headers, body: Secret(body.utf8))
        self.init { _ in response }
    }

    /// Creates a server from which no response comes.
    package convenience init(_ error: OutgoingError) {
        self.init { _ in throw error }
    }

    /// The requests so far, in order.
    package var requests: [OutgoingRequest] { recorded.withLock { $0 } }

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        recorded.withLock { $0.append(request) }
        do {
            return try await respond(request)
        } catch let error as OutgoingError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }
}
