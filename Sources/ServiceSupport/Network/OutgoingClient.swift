package import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1

/// Sends requests to other servers with AsyncHTTPClient, each bounded in time and in the size of its response.
///
/// It follows no redirects, because only the operator decides on addresses, and does not decompress: the limit on the size
/// applies to what is received.
package struct OutgoingClient: OutgoingHTTP {
    /// Made with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts it down.
    private let client: HTTPClient
    private let clock: ServiceClock

    package init(_ client: HTTPClient, clock: ServiceClock) {
        self.client = client
        self.clock = clock
    }

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        do {
            // The client's own deadline ends with the response's head; a body could take forever.
            let result = await withTimeout(request.timeout, clock: clock) { try await exchange(request) }
            guard let result else { throw OutgoingError.timedOut }
            return try result.get()
        } catch {
            throw OutgoingError(error)
        }
    }

    private func exchange(_ request: OutgoingRequest) async throws -> OutgoingResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        outgoing.headers = HTTPHeaders(request.headers)
        outgoing.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let bearer = request.bearer {
            outgoing.headers.add(name: "Authorization", value: "Bearer \(bearer.revealText())")
        }
        if let authorities = request.authorities {
            outgoing.tlsConfiguration = try .outgoing(trusting: authorities)
        }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body.reveal())) }
        let response = try await response(to: outgoing)
        let body = try await response.body.collect(upTo: request.maximumSize)
        let headers = response.headers.map { ($0.name.lowercased(), $0.value) }
        return OutgoingResponse(
            status: Int(response.status.code),
            headers: Dictionary(headers) { first, _ in first },
            body: Secret(body.readableBytesView)
        )
    }

    /// Sends a request, once more if the connection closes before a response begins.
    ///
    /// A server may close a kept connection at any time, also while the next request is on its way (RFC 9112 section
    /// 9.3.1). Every request of this service can be repeated: it reads, requests a decision, or has something signed.
    private func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(request, deadline: .distantFuture)
        } catch {
            guard ConnectionFailure.isClosed(error) else { throw error }
            return try await client.execute(request, deadline: .distantFuture)
        }
    }
}
