import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Sends a webhook's requests with AsyncHTTPClient.
struct HTTPWebhookTransport: WebhookTransport {
    private let client: OutgoingClient

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - client: A client created with ``AsyncHTTPClient/HTTPClient/Configuration/outgoing``; its owner shuts it
    ///     down.
    ///   - sleep: Waits for the time-out.
    init(
        client: HTTPClient,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = OutgoingClient(client, sleep: sleep)
    }

    func post(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookReply {
        var outgoing = OutgoingClient.Request(
            request.url.text,
            maximumSize: WebhookRequest.maximumReplySize,
            timeout: request.timeout
        )
        outgoing.method = .POST
        outgoing.headers = HTTPHeaders(request.headers)
        outgoing.body = request.body
        do throws(OutgoingClient.Failure) {
            let response = try await client.send(outgoing)
            return WebhookReply(
                status: response.status,
                body: Array(buffer: response.body),
                retryAfter: response.headers.retryAfter(maximum: WebhookRequest.longestPause)
            )
        } catch {
            throw switch error {
            case .tooLarge: .tooLarge
            case .timedOut: .timedOut
            case .failed(let reason): .failed(reason)
            }
        }
    }
}
