import FleetToken
import JOSE
import ServiceSupport
import TokenMinting
import TokenService

/// Reads key sets from files and URLs.
enum KeySetReader {
    /// The time limit of a request in seconds.
    private static let timeout = 10

    /// Reads a key set.
    ///
    /// - Throws: ``CommandError``, with the status ``ExitStatus/unavailable`` if an address does not respond as it should.
    static func read(_ path: String) async throws -> JWKSet {
        let bytes =
            if path.contains("://") {
                try await fetch(path)
            } else {
                try Input.read(path, atMost: JWKSet.maximumSize + 1)
            }
        do {
            return try JWKSet(parsing: bytes)
        } catch {
            throw CommandError(error, in: path) ?? error
        }
    }

    /// Lets `https` pass, and `http` on this machine.
    ///
    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``, which repeats nothing of the URL.
    private static func check(_ text: String) throws {
        let refusal: String
        do throws(EndpointURL.Problem) {
            let url = try EndpointURL(text)
            if url.isProtected { return }
            refusal =
                url.scheme == "http"
                ? "Plain http allows the keys to be replaced in transit; use https." : "Use https."
        } catch {
            refusal =
                error == .notAURL
                ? "It is not a valid URL with a host."
                : "It contains a user name, password or fragment, which key sets do not need."
        }
        throw CommandError(.usage, "The key set cannot be fetched from this address. \(refusal)")
    }

    /// Untyped errors: Swift 6.3.1's optimizer crashes on typed ones that it inlines into an asynchronous function.
    private static func fetch(_ url: String) async throws -> [UInt8] {
        try check(url)
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
        if let coding = response.contentCoding { throw failure(url, "the response has a content coding (\(coding))") }
        return response.body.reveal()
    }

    private static func failure(_ url: String, _ reason: String) -> CommandError {
        CommandError(.unavailable, "Cannot fetch \(url): \(reason).")
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case OutgoingError.timedOut: "timed out after \(timeout) seconds"
        case OutgoingError.tooLarge: "the response is larger than 256 KiB"
        default: ConnectionFailure.text(of: error)
        }
    }
}
