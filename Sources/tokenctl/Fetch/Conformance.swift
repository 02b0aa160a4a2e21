import FleetToken
import ServiceSupport
import TokenService

/// What came of the requests that try a token server: one with credentials, and one without.
struct Conformance {
    /// What came of a request.
    enum Outcome {
        case response(FetchedResponse)
        case noResponse(OutgoingError)
        case notSent(reason: String)
    }

    let kind: TokenKind
    let id: ResourceID
    /// The outcome of the request with all header fields.
    let authenticated: Outcome
    /// The outcome of the same request without credentials.
    let anonymous: Outcome

    /// Sends the requests, the second only if the first leads to a token.
    ///
    /// - Throws: ``CommandError``, with the status ``ExitStatus/unavailable`` if there is no connection to the server.
    static func run(
        on url: ConformanceURL,
        scope: TokenScope,
        fields: [(name: String, value: String)]
    ) async throws(CommandError) -> Conformance {
        guard case .one(let id) = scope.resources else {
            throw CommandError(.usage, "--conformance requires a kind with one ID, without --task-id.")
        }
        let text = url.text(kind: scope.kind, id: id)
        let authenticated = await send(text, fields)
        var anonymous = Outcome.notSent(reason: "requires a token")
        switch authenticated {
        case .noResponse(.failed(let reason)) where !["certificate", "TLS"].contains(where: reason.hasPrefix):
            // A query may have a secret.
            let server = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
            throw CommandError(.unavailable, "Cannot fetch a token from \(server): \(reason).")
        case .response(let response) where response.token != nil:
            let others = fields.filter { !isCredential($0, among: fields) }
            anonymous = fields.isEmpty ? .notSent(reason: "requires --header-file") : await send(text, others)
        default: break
        }
        return Conformance(kind: scope.kind, id: id, authenticated: authenticated, anonymous: anonymous)
    }

    private static func send(_ url: String, _ fields: [(name: String, value: String)]) async -> Outcome {
        var request = OutgoingRequest(.get, url)
        request.headers = [("Accept", "application/json")] + fields
        request.timeout = .seconds(10)
        let start = ContinuousClock.now
        do {
            let response = try await request.response()
            return .response(FetchedResponse(response, after: ContinuousClock.now - start, at: .now))
        } catch {
            return .noResponse(error as? OutgoingError ?? .failed(ConnectionFailure.text(of: error)))
        }
    }

    /// Returns whether a field is a credential: one of the usual names, or any if there is none of them.
    private static func isCredential(
        _ field: (name: String, value: String),
        among fields: [(name: String, value: String)]
    ) -> Bool {
        let isUsual = { (name: String) in ["authorization", "cookie", "x-api-key"].contains(name.lowercased()) }
        return isUsual(field.name) || !fields.contains { isUsual($0.name) }
    }
}
