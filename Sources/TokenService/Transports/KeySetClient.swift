import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOHTTP1
import ServiceConfiguration
import TokenIssuance
import TokenMinting

/// Fetches key sets over the network: one request, one answer, bounded in size.
///
/// It follows no redirect, since a key set's place is the operator's word and nobody else's, and decompresses nothing, so
/// that what it reads is what it counts.
struct KeySetClient: Sendable {
    private let client: HTTPClient

    /// A client with connections of its own, to be shut down when it's no longer needed.
    init(configuration: HTTPClient.Configuration = .outgoing) {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Fetches a document.
    ///
    /// It takes as long as it takes, until whoever called it cancels it.
    ///
    /// - Throws: ``KeySetTransferError`` when none came, or one that is too large.
    func answer(from url: KeySetURL) async throws -> KeySetAnswer {
        var request = OutgoingClient.Request(url.text, maximumSize: IssuerKeySet.maximumSize)
        request.headers.add(name: "Accept", value: "application/json")
        do throws(OutgoingClient.Failure) {
            let response = try await OutgoingClient(client).send(request)
            return KeySetAnswer(
                status: response.status,
                retryAfter: response.headers.retryAfter(maximum: RetryAfter.maximum),
                body: Array(buffer: response.body)
            )
        } catch {
            throw switch error {
            case .tooLarge: KeySetTransferError("The answer is larger than 256 KiB.")
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
