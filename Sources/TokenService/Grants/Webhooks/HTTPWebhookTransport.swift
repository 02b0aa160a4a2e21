import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends a webhook's requests with AsyncHTTPClient.
struct HTTPWebhookTransport: WebhookTransport {
    /// A client that was made with ``AsyncHTTPClient/HTTPClient/Configuration/webhook``; its owner shuts it down.
    let client: HTTPClient
    /// Waits for so long.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
        do {
            return try await withThrowingTaskGroup(of: WebhookReply.self) { group in
                group.addTask { try await exchange(request) }
                // The client's own deadline ends with the answer's head; a body could take for ever.
                group.addTask {
                    try await sleep(request.timeout)
                    throw WebhookFailure.timedOut
                }
                defer { group.cancelAll() }
                guard let reply = try await group.next() else { throw CancellationError() }
                return reply
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> WebhookFailure {
        switch error {
        case let failure as WebhookFailure: failure
        case is NIOTooManyBytesError: .tooLarge
        case let error as HTTPClientError: .failed(error.shortDescription)
        case is IOError, is NIOSSLError, is NIOSSLExtraError, is HTTPParserError: .failed("\(error)")
        // The text of a stranger's error may hold what it was given.
        default: .failed("\(type(of: error))")
        }
    }

    private func exchange(_ request: WebhookRequest) async throws -> WebhookReply {
        var outgoing = HTTPClientRequest(url: request.url.text)
        outgoing.method = .POST
        outgoing.headers = HTTPHeaders(request.headers)
        outgoing.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: WebhookRequest.maximumReplySize)
        return WebhookReply(status: Int(response.status.code), body: Array(body.readableBytesView))
    }
}

extension HTTPClient.Configuration {
    /// The settings that webhooks need.
    ///
    /// No redirects, no decompression, TLS 1.2 or later with a certificate that is checked. A connection that fails, or
    /// isn't there after three seconds, is not tried again: that is up to the caller.
    static var webhook: Self {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        var configuration = Self(tlsConfiguration: tls, redirectConfiguration: .disallow, decompression: .disabled)
        configuration.timeout.connect = .seconds(3)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
