import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import TokenMinting

/// Reads key sets from files and addresses.
enum KeySetReader {
    /// How many seconds an address may take to answer in full.
    private static let timeout: Int64 = 10

    /// Reads a key set.
    ///
    /// - Throws: ``CommandError``, with the status ``ExitStatus/network`` when an address doesn't answer as it should.
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
        do {
            return try await withDeadline { try await get(url) }
        } catch {
            throw CommandError(.network, "Cannot fetch \(url): \(reason(error)).")
        }
    }

    private static func get(_ url: String) async throws -> [UInt8] {
        // It follows no redirect, which could send us anywhere, past the check of what may be asked.
        var configuration = HTTPClient.Configuration.outgoing
        configuration.timeout.connect = .seconds(timeout)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try await client.execute(HTTPClientRequest(url: url), deadline: .distantFuture)
            guard response.status == .ok else { throw FetchError.status(response.status.code) }
            return Array(buffer: try await response.body.collect(upTo: JWKSet.maximumSize))
        }
    }

    /// The client's own limit ends with the response's head; this one holds for the body too.
    private static func withDeadline(
        _ operation: @escaping @Sendable () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup { group in
            group.addTask(operation: operation)
            group.addTask {
                try await Task.sleep(for: .seconds(timeout))
                throw FetchError.timeout
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case FetchError.status(let code) where (300..<400).contains(code):
            "it redirects (HTTP \(code)); name the address that it redirects to"
        case FetchError.status(let code): "it answers with HTTP status \(code)"
        case FetchError.timeout: "it takes longer than \(timeout) seconds"
        case is NIOTooManyBytesError: "it answers with more than 256 KiB"
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            reason(FetchError.timeout)
        default: ConnectionFailure.text(of: error)
        }
    }
}

private enum FetchError: Error {
    case status(UInt)
    case timeout
}
