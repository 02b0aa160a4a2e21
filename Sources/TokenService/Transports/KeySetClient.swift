import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Fetches key sets over the network: one request, one answer, bounded in size.
///
/// It follows no redirects, because only the operator decides where a key set is, and does not decompress, so that the
/// size limit applies to what is received.
struct KeySetClient: Sendable {
    private let client: HTTPClient

    /// Creates a client with its own connections, to be shut down when it is no longer needed.
    init(configuration: HTTPClient.Configuration = .outgoing) {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Fetches a document.
    ///
    /// It has no time limit; cancel the task to stop it.
    ///
    /// - Parameters:
    ///   - url: The document's URL.
    ///   - authorities: The certificate authorities to trust instead of the system's, PEM.
    /// - Returns: The response.
    /// - Throws: ``KeySetTransferError`` if there is no response, or it is too large.
    func answer(from url: KeySetURL, trusting authorities: [UInt8]? = nil) async throws -> KeySetAnswer {
        var request = OutgoingClient.Request(url.text, maximumSize: IssuerKeySet.maximumSize)
        request.headers.add(name: "Accept", value: "application/json")
        request.authorities = authorities
        do throws(OutgoingClient.Failure) {
            let response = try await OutgoingClient(client).send(request)
            return KeySetAnswer(
                status: response.status,
                retryAfter: response.headers.retryAfter(maximum: RetryAfter.maximum),
                body: Array(buffer: response.body)
            )
        } catch {
            throw switch error {
            case .tooLarge: KeySetTransferError("The response is larger than 256 KiB.")
            case .timedOut: KeySetTransferError("Fetching failed: timed out.")
            case .failed(let reason): KeySetTransferError("Fetching failed: \(reason).")
            }
        }
    }

    /// Closes all connections.
    func shutdown() async throws {
        try await client.shutdown()
    }
}
