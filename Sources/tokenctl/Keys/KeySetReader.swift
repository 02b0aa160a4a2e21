import FleetToken
import JOSE
import ServiceSupport
import ServiceTools
import TokenMinting

/// Reads key sets from files and addresses.
enum KeySetReader {
    /// How many seconds an address may take to answer in full.
    private static let timeout = 10

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

    private static func fetch(_ url: String) async throws(CommandError) -> [UInt8] {
        var request = OutgoingRequest(.get, url)
        request.maximumSize = JWKSet.maximumSize
        request.timeout = .seconds(timeout)
        let response: OutgoingResponse
        do {
            response = try await request.response()
        } catch {
            throw failure(url, reason(error))
        }
        guard response.status == 200 else {
            let isRedirect = (300..<400).contains(response.status)
            throw failure(
                url,
                isRedirect
                    ? "redirected (HTTP \(response.status)); use the redirect's target address"
                    : "HTTP status \(response.status)"
            )
        }
        return response.body.reveal()
    }

    private static func failure(_ url: String, _ reason: String) -> CommandError {
        CommandError(.network, "Cannot fetch \(url): \(reason).")
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case OutgoingError.timedOut: "timed out after \(timeout) seconds"
        case OutgoingError.tooLarge: "the response is larger than 256 KiB"
        default: ConnectionFailure.reason(error)
        }
    }
}
