package import AsyncHTTPClient
package import NIOCore
package import NIOHTTP1

/// Sends requests to other servers, each bounded in time and in the size of its response.
///
/// It follows no redirects, because only the operator decides on addresses, and does not decompress, so that the size limit
/// applies to what is received.
package struct OutgoingClient: Sendable {
    /// A request.
    package struct Request: Sendable {
        package var url: String
        package var method = HTTPMethod.GET
        package var headers: HTTPHeaders = [:]
        /// The body; nil for none.
        package var body: [UInt8]?
        /// The maximum size of the response's body, in bytes.
        package var maximumSize: Int
        /// The certificate authorities to trust instead of the system's, PEM; nil for the system's.
        package var authorities: [UInt8]?
        /// How long the exchange may take, to the last byte of the body; nil leaves it to the caller to cancel.
        package var timeout: Duration?

        /// Creates a GET request.
        package init(_ url: String, maximumSize: Int, timeout: Duration? = nil) {
            self.url = url
            self.maximumSize = maximumSize
            self.timeout = timeout
        }
    }

    /// A complete response.
    package struct Response: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let body: ByteBuffer
    }

    /// Why there is no response.
    package enum Failure: Error, Hashable {
        /// It has more bytes than the request allows.
        case tooLarge
        /// It took longer than the request allows.
        case timedOut
        /// Another reason, in a few words that hold nothing that the server sent.
        case failed(String)
    }

    private let client: HTTPClient
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - client: Made with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts it down.
    ///   - sleep: Waits for the time-out.
    package init(
        _ client: HTTPClient,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = client
        self.sleep = sleep
    }

    package func send(_ request: Request) async throws(Failure) -> Response {
        do {
            guard let timeout = request.timeout else { return try await exchange(request) }
            return try await withThrowingTaskGroup(of: Response.self) { group in
                group.addTask { try await exchange(request) }
                // The client's own deadline ends with the response's head; a body could take forever.
                group.addTask {
                    try await sleep(timeout)
                    throw Failure.timedOut
                }
                defer { group.cancelAll() }
                guard let response = try await group.next() else { throw CancellationError() }
                return response
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private func exchange(_ request: Request) async throws -> Response {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = request.method
        outgoing.headers = request.headers
        if let authorities = request.authorities {
            outgoing.tlsConfiguration = try .outgoing(trusting: authorities)
        }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await response(to: outgoing)
        let body = try await response.body.collect(upTo: request.maximumSize)
        return Response(status: Int(response.status.code), headers: response.headers, body: body)
    }

    /// Sends a request, once more if the connection closes before a response begins.
    ///
    /// A server closes a connection that is kept for the next request when it likes, and may do so while that request
    /// is on its way (RFC 9112, section 9.3.1). Every request of this service can be repeated: it reads, requests a
    /// decision, or has something signed.
    private func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(request, deadline: .distantFuture)
        } catch {
            guard ConnectionFailure.isClosed(error) else { throw error }
            return try await client.execute(request, deadline: .distantFuture)
        }
    }

    private static func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case is NIOTooManyBytesError: .tooLarge
        default: .failed(ConnectionFailure.text(of: error))
        }
    }
}
