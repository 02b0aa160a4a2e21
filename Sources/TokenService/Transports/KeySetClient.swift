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
        var request = HTTPClientRequest(url: url.text)
        request.headers.add(name: "Accept", value: "application/json")
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            let body = try await response.body.collect(upTo: IssuerKeySet.maximumSize)
            return KeySetAnswer(
                status: Int(response.status.code),
                retryAfter: response.headers.retryAfter(maximum: RetryAfter.maximum),
                body: Array(buffer: body)
            )
        } catch is NIOTooManyBytesError {
            throw KeySetTransferError("The answer is larger than 256 KiB.")
        } catch {
            throw KeySetTransferError("Fetching failed: \(ConnectionFailure.text(of: error)).")
        }
    }

    /// Closes all connections.
    func shutdown() async throws {
        try await client.shutdown()
    }
}
