package import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1

/// Sends requests with AsyncHTTPClient.
package struct HTTPGoogleTransport: GoogleTransport {
    private let client: HTTPClient

    /// A transport.
    ///
    /// - Parameter client: A client that was made with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts
    ///   it down.
    package init(client: HTTPClient) {
        self.client = client
    }

    /// Sends a request.
    package func send(_ request: GoogleRequest) async throws(GoogleTransportError) -> GoogleAnswer {
        do {
            return try await exchange(request)
        } catch {
            throw Self.failure(error)
        }
    }

    private func exchange(_ request: GoogleRequest) async throws -> GoogleAnswer {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        outgoing.headers = HTTPHeaders(request.headers)
        if let bearer = request.bearer {
            outgoing.headers.add(name: "Authorization", value: "Bearer \(bearer.revealText())")
        }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body.reveal())) }
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: request.maximumAnswerSize)
        return GoogleAnswer(
            status: Int(response.status.code),
            headers: response.headers.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value },
            body: Secret(body.readableBytesView)
        )
    }

    private static func failure(_ error: any Error) -> GoogleTransportError {
        error is NIOTooManyBytesError ? .tooLarge : .failed(ConnectionFailure.text(of: error))
    }
}
