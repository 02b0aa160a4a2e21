import FleetToken
import HTTPTypes
import Logging
import Metrics
import TokenMinting

/// From a request for a token to the token: caller, limit, grant, minter, audit.
///
/// The limit comes before the grant, so that a caller over it costs no webhook a request. The audit line is written
/// before the token leaves; without the line there is no token.
struct TokenIssuance: Sendable {
    let authenticator: any Authenticator
    let limits: CallerLimits
    let authorizer: any Authorizer
    let minter: ReusingMinter
    let audit: AuditTrail?
    /// Count what the minter does; nil where nothing is counted.
    var metrics: ServiceMetrics?
    let now: @Sendable () -> NumericDate
    let logger: Logger

    /// Who asks, from where, under which ID.
    struct Asking {
        let head: HTTPRequest
        /// The names in the client certificate's SAN, if TLS asked for one.
        let certificateNames: [String]
        let address: String
        let requestID: String
        /// The trace that the request is part of, if it says so.
        var traceID: String?
    }

    /// The caller of a request.
    ///
    /// - Throws: When it is not known who asks; ``refuse(_:of:_:)`` takes it.
    func caller(_ asking: Asking) async throws -> Caller {
        try await authenticator.caller(
            of: asking.head,
            certificateNames: asking.certificateNames,
            allowance: limits.allowance(of: asking.address)
        )
    }

    /// Refuses a request that failed before it was known who asks.
    ///
    /// All such failures come here: each is charged to its address, and is on record while that is within its limit.
    ///
    /// - Parameters:
    ///   - error: Why it failed.
    ///   - asked: What it asked for; nil where it was no request for a token, and so no decision.
    ///   - asking: Where it came from.
    /// - Returns: The error to answer with.
    func refuse(_ error: any Error, of asked: AskedToken?, _ asking: Asking) async -> any Error {
        let error = await limits.charge(error, to: asking.address)
        if let asked, !(error is LimitedRefusal) {
            try? await record(Self.decision(error), Self.rule(error), nil, asked, nil, asking, now())
        }
        return error
    }

    /// The token that a known caller asks for.
    func token(
        for wanted: TokenRequest,
        _ caller: Caller,
        _ asking: Asking
    ) async throws -> (MintedToken, now: NumericDate) {
        let now = now()
        let asked = AskedToken(wanted)
        do {
            let rule = try await authorizer.authorize(caller, for: wanted.scope, requestID: asking.requestID)
            let (minted, isReused) = try await mint(wanted, now)
            let token = AuditRecord.Token(
                keyID: minted.keyID,
                expiresAt: minted.expiresAt,
                sha256: minted.sha256,
                isReused: isReused
            )
            try await record(.allow, rule, token, asked, caller, asking, now)
            metrics?.minted[wanted.scope.kind, isReused ? .reused : .signed].increment()
            // Its time here begins when it is handed out, which may be a second after it was asked for.
            let handOut = self.now()
            guard minted.isValid(at: handOut) else {
                throw TokenError(
                    .signerUnavailable,
                    "The clock was set while the token was made. Try again.",
                    retryAfter: 1
                )
            }
            return (minted, handOut)
        } catch {
            try? await record(Self.decision(error), Self.rule(error), nil, asked, caller, asking, now)
            throw error
        }
    }

    private func mint(_ wanted: TokenRequest, _ now: NumericDate) async throws -> (MintedToken, isReused: Bool) {
        let kind = wanted.scope.kind
        let start = ContinuousClock.now
        var result = MintResultLabel.failed
        defer {
            metrics?.mintDuration[kind, result].record(duration: start.duration(to: .now))
            if result == .failed { metrics?.minted[kind, .failed].increment() }
        }
        let (token, isReused) = try await minter.token(for: wanted.scope, lifetime: wanted.lifetime, now: now)
        result = isReused ? .reused : .signed
        return (token, isReused)
    }

    private func record(
        _ decision: AuditRecord.Decision,
        _ rule: String,
        _ token: AuditRecord.Token?,
        _ asked: AskedToken,
        _ caller: Caller?,
        _ asking: Asking,
        _ now: NumericDate
    ) async throws {
        let record = AuditRecord(
            time: now,
            requestID: asking.requestID,
            traceID: asking.traceID,
            caller: caller,
            address: asking.address,
            kind: asked.kind,
            scope: asked.scope,
            decision: decision,
            rule: rule,
            token: token
        )
        do {
            try await audit?.append(record)
        } catch {
            logger.error(
                "The audit trail cannot be written.",
                metadata: ["request_id": "\(asking.requestID)", "error": "\(OperatorMessage(error))"]
            )
            throw TokenError(.auditUnavailable, "The service cannot record this request now. Try again.", retryAfter: 5)
        }
    }

    private static func decision(_ error: any Error) -> AuditRecord.Decision {
        guard let reason = reason(error), reason.code < 500 else { return .error }
        return .deny
    }

    private static func rule(_ error: any Error) -> String {
        (reason(error) ?? .internal).rawValue
    }

    private static func reason(_ error: any Error) -> TokenError.Reason? {
        ((error as? AuthenticationFailure)?.refusal ?? error as? TokenError)?.reason
    }
}
