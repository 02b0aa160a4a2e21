import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceConfiguration
import TokenIssuance
import TokenMinting

/// Sends a webhook's requests with AsyncHTTPClient.
struct HTTPWebhookTransport: WebhookTransport {
    /// A client that was made with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts it down.
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
        default: .failed(ConnectionFailure.text(of: error))
        }
    }

    private func exchange(_ request: WebhookRequest) async throws -> WebhookReply {
        var outgoing = HTTPClientRequest(url: request.url.text)
        outgoing.method = .POST
        outgoing.headers = HTTPHeaders(request.headers)
        outgoing.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: WebhookRequest.maximumReplySize)
        return WebhookReply(
            status: Int(response.status.code),
            body: Array(body.readableBytesView),
            retryAfter: response.headers.retryAfter(maximum: WebhookRequest.longestPause)
        )
    }
}
