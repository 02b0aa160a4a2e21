import AsyncHTTPClient
import FleetToken
import JOSE
import NIOCore
import ServiceSupport
import TokenService

/// A token server, which is sent one request.
struct TokenEndpoint {
    /// A token that it issued.
    struct Token {
        let bytes: [UInt8]
        let expiresAt: NumericDate
    }

    /// The URL without slashes at its end.
    let url: String

    /// Creates a server from its URL: `https`, or `http` on this machine.
    ///
    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    init(_ text: String, option: String = "--server") throws(CommandError) {
        guard !text.utf8.contains(UInt8(ascii: "?")) else {
            throw CommandError(.usage, "\(option) has a query, which only a URL of --conformance with {id} may have.")
        }
        try Self.check(text, option: option)
        url = String(decoding: text.utf8.trimming { $0 == UInt8(ascii: "/") }, as: UTF8.self)
    }

    /// Checks a URL to which credentials are to be sent, and which may have a query.
    ///
    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    static func check(_ text: String, option: String) throws(CommandError) {
        guard let url = try? EndpointURL(text) else {
            throw CommandError(
                .usage,
                "\(option) is not an absolute https URL. It may have a path, but no user or fragment."
            )
        }
        guard url.isProtected else {
            throw CommandError(.usage, "Use https for \(option). With http, credentials and tokens can be intercepted.")
        }
    }

    /// Fetches a token.
    ///
    /// - Throws: ``CommandError``, whose message repeats only what `tokend` writes for its callers.
    func token(
        for scope: TokenScope,
        fields: [(name: String, value: String)]
    ) async throws(CommandError) -> Token {
        let response: OutgoingResponse
        do {
            response = try await request(for: scope, fields).response()
        } catch {
            throw CommandError(.unavailable, "Cannot fetch a token from \(url): \(ConnectionFailure.text(of: error)).")
        }
        guard (200...299).contains(response.status) else { throw CommandError(refusal: response) }
        guard let object = try? JSONParser.parseObject(response.body.reveal()),
            let token = object["token"]?.stringValue.map({ Array($0.utf8) }),
            let jws = try? CompactJWS(parsing: token),
            let expiresAt = ClaimsReading(payload: jws.payload).expiresAt
        else {
            throw CommandError(
                .failure,
                "The response is not JSON with a token that has an expiry. Check that the URL is the token server's."
            )
        }
        return Token(bytes: token, expiresAt: expiresAt)
    }

    private func request(for scope: TokenScope, _ fields: [(name: String, value: String)]) -> OutgoingRequest {
        var path = "/token/\(scope.kind.rawValue)"
        if !scope.kind.isPrivileged, let id = scope.ids.first { path += "/" + Self.percentEncoded(id.rawValue) }
        if case .oneWithTask(_, let task) = scope.resources {
            path += "?taskId=" + Self.percentEncoded(task.rawValue)
        }
        var request: OutgoingRequest
        if case .batch(let tasks) = scope.resources {
            var writer = JSONWriter()
            writer.object { writer in
                writer.name("taskIds")
                writer.array { writer in
                    for id in tasks { writer.string(id.rawValue) }
                }
            }
            request = OutgoingRequest(.post, url + path)
            request.headers = [("Content-Type", "application/json")]
            request.body = Secret(writer.bytes)
        } else {
            request = OutgoingRequest(.get, url + path)
        }
        request.headers += [("Accept", "application/json")] + fields
        request.timeout = .seconds(10)
        return request
    }

    static func percentEncoded(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%")] + Hexadecimal.text([byte]).uppercased().utf8
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension CommandError {
    /// Creates the error of a response without a token: the message of `tokend`, which repeats no input, or the status.
    fileprivate init(refusal response: OutgoingResponse) {
        let isTransient = response.status >= 500 || [408, 425, 429].contains(response.status)
        let error = (try? JSONParser.parseObject(response.body.reveal()))?["error"]?.objectValue
        let isOurs = error?["details"]?.arrayValue?.contains { detail in
            detail.objectValue?["domain"]?.stringValue == TokenError.domain
        }
        let message = isOurs == true ? error?["message"]?.stringValue : nil
        let wait = isTransient ? response.retryAfter().map { Int($0.rounded(.up)) } : nil
        let advice = wait.map { " Try again in \($0) second\($0 == 1 ? "" : "s")." } ?? ""
        // It leads to the line of the server's log.
        let id = response.headers["x-request-id"].map { RequestID.isValid($0) ? " (X-Request-Id \($0))" : "" } ?? ""
        self.init(
            isTransient ? .unavailable : .failure,
            (message ?? "The server returned HTTP status \(response.status).") + advice + id
        )
    }
}

extension OutgoingRequest {
    /// Sends this request alone, with a client that ends after it.
    func response() async throws -> OutgoingResponse {
        var configuration = HTTPClient.Configuration.outgoing
        // Longer than the whole exchange may take, whose time-out says more.
        configuration.timeout.connect = .seconds(60)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await OutgoingClient(client, clock: .system).send(self)
        }
    }
}
