import AsyncHTTPClient
import NIOCore
import ServiceSupport

extension OutgoingRequest {
    /// Sends this request alone, with a client that ends after it.
    func response() async throws -> OutgoingResponse {
        var configuration = HTTPClient.Configuration.outgoing
        // Longer than the whole exchange may take, whose time-out says more.
        configuration.timeout.connect = .seconds(60)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await OutgoingClient(client, clock: .system).send(self)
        }
    }
}

extension ConnectionFailure {
    /// Why a request has no response.
    static func reason(_ error: any Error) -> String {
        (error as? OutgoingError)?.description ?? text(of: error)
    }
}
