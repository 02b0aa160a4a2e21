import AsyncHTTPClient
import CommandSupport
import FleetToken
import JOSE
import NIOCore
import ServiceSupport
import TokenMinting

/// Reads key sets from files and addresses.
enum KeySetReader {
    /// How many seconds an address may take to answer in full.
    private static let timeout: Int64 = 10

    /// Reads a key set.
    ///
    /// - Throws: ``CommandError``, with the status ``ExitStatus/network`` when an address doesn't respond as it should.
    static func read(_ path: String) async throws -> JWKSet {
        let bytes =
            switch try KeySetLocation(path) {
            case .file(let path): try Input.read(path, atMost: JWKSet.maximumSize + 1)
            case .address(let url): try await fetch(url)
            }
        do {
            return try JWKSet(parsing: bytes)
        } catch {
            throw CommandError(error, in: path) ?? error
        }
    }

    private static func fetch(_ url: String) async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration.outgoing
        // Longer than the whole exchange may take, whose time-out says more.
        configuration.timeout.connect = .seconds(timeout + 1)
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                var request = OutgoingRequest(.get, url)
                request.maximumSize = JWKSet.maximumSize
                request.timeout = .seconds(timeout)
                let response = try await OutgoingClient(client, clock: .system).send(request)
                guard response.status == 200 else { throw FetchError(status: response.status) }
                return response.body.reveal()
            }
        } catch {
            throw CommandError(.network, "Cannot fetch \(url): \(reason(error)).")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as FetchError where (300..<400).contains(error.status):
            "redirected (HTTP \(error.status)); use the redirect's target address"
        case let error as FetchError: "HTTP status \(error.status)"
        case OutgoingError.timedOut: "timed out after \(timeout) seconds"
        case OutgoingError.tooLarge: "the response is larger than 256 KiB"
        case OutgoingError.failed(let reason): reason
        default: ConnectionFailure.text(of: error)
        }
    }
}

private struct FetchError: Error {
    let status: Int
}
