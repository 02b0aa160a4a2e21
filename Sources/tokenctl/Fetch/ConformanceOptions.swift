import ArgumentParser
import FleetToken
import ServiceSupport
import TokenService

/// The options of `tokenctl fetch` that try a token server.
struct ConformanceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Check a token server instead: with at most nine requests, whether Google's SDKs and samples can use it. The \
            URL is its base, before /token/KIND/ID, or has {id} in the place of the ID.
            """,
            valueName: "url"
        )
    )
    var conformance: String?

    @Option(help: "With --conformance: an ID that the caller may not request. (default: none)")
    var otherID: String?

    @Option(
        help: ArgumentHelp(
            """
            With --conformance: the key of the token in the response, such as result.token. (default: each known one; \
            token with --expiry-key or --unit)
            """,
            valueName: "key"
        )
    )
    var tokenKey: String?

    @Option(
        help: ArgumentHelp(
            """
            With --conformance: the key of the expiry in the response. (default: each known one; expiresInSeconds with \
            --token-key or --unit)
            """,
            valueName: "key"
        )
    )
    var expiryKey: String?

    @Option(
        help: """
            With --conformance: the unit of the expiry. (default: that of each known key; any with --token-key or \
            --expiry-key)
            """
    )
    var unit: ResponseDialect.Unit?

    func validate() throws {
        guard conformance != nil || otherID == nil && tokenKey == nil && expiryKey == nil && unit == nil else {
            throw ValidationError("--other-id, --token-key, --expiry-key and --unit require --conformance.")
        }
    }

    private var dialects: [ResponseDialect] {
        guard tokenKey != nil || expiryKey != nil || unit != nil else { return ResponseDialect.known }
        let expiry = expiryKey ?? "expiresInSeconds"
        return [ResponseDialect(reader: "you", token: tokenKey ?? "token", expiry: expiry, unit: unit)]
    }

    /// Tries a server, and returns the findings in the order of ``ConformanceCheck/all``.
    ///
    /// - Throws: ``CommandError``, with the status ``ExitStatus/unavailable`` if there is no connection to the server.
    func check(
        _ url: String,
        scope: TokenScope,
        fields: [(name: String, value: String)]
    ) async throws(CommandError) -> [(check: ConformanceCheck, verdict: ConformanceCheck.Verdict)] {
        guard case .one = scope.resources else {
            throw CommandError(.usage, "--conformance requires a kind with one ID, without --task-id.")
        }
        var run = Conformance(
            url: try ConformanceURL(url),
            scope: scope,
            otherID: otherID,
            fields: fields,
            dialects: dialects
        )
        await run.run()
        if case .noResponse(.failed(let reason))? = run.outcomes[.first],
            !["certificate", "TLS"].contains(where: reason.hasPrefix)
        {
            throw CommandError(.unavailable, "Cannot fetch a token: \(reason).")
        }
        return ConformanceCheck.all.map { ($0, $0.verdict(run)) }
    }
}
