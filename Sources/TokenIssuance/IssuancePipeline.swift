import FleetToken
package import Logging
package import ServiceSupport
package import TokenMinting

/// The steps from a request for a token to the recorded decision, in their order.
///
/// How it works: ``outcome(of:_:)`` is the only way to a token. It runs
///
///     authenticate ─► limit ─► read ─► authorize ─► mint ─► audit
///
/// and each step throws what ends the request, with its row of ``RefusalRule``; ``refused(_:_:)`` follows the row. The limit
/// comes before the grant, so that a caller over its limit costs no webhook call, and before the body, which costs more to
/// read than all previous steps. The audit line is written before the token is released; without the line no token is issued.
package final class IssuancePipeline: Sendable {
    let authenticator: any Authenticator
    package let limits: CallerLimits
    let rules: RequestRules
    let authorizer: any Authorizer
    let minter: ReusingMinter
    package let audit: AuditTrail?
    /// Metrics of minting; nil for none.
    let metrics: IssuanceMetrics?
    package let clock: ServiceClock
    /// Logs when an outage of the audit trail begins and ends.
    let logger: Logger

    /// Creates a pipeline of these steps.
    package init(
        authenticator: any Authenticator,
        limits: CallerLimits,
        rules: RequestRules = RequestRules(),
        authorizer: any Authorizer,
        minter: ReusingMinter,
        audit: AuditTrail?,
        metrics: IssuanceMetrics? = nil,
        clock: ServiceClock,
        logger: Logger = Logger(label: "fleet-token", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.authenticator = authenticator
        self.limits = limits
        self.rules = rules
        self.authorizer = authorizer
        self.minter = minter
        self.audit = audit
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
    }

    /// What is known of a request so far.
    private struct Known {
        let call: IncomingCall
        var kind: TokenKind?
        var caller: Caller?
        var scope: TokenScope?
        /// When the caller was known, or refused.
        var time = NumericDate(seconds: 0)
        /// The row of an error that has none of its own: that of the step that is taken.
        var row = RefusalRule.unauthenticated
    }

    /// Returns the outcome of a request for a token.
    package func outcome(of unread: UnreadRequest, _ call: IncomingCall) async -> Outcome {
        var known = Known(call: call, kind: unread.kind)
        do {
            let caller = try await authenticate(&known)
            try limits.admit(caller)
            known.row = .invalidRequest
            let request = try unread.read(call.head, rules)
            (known.kind, known.scope) = (request.scope.kind, request.scope)
            known.row = .denied
            let grant = try await authorizer.authorize(caller, for: request.scope, requestID: call.id.description)
            known.row = .notMinted
            let minted = try await mint(request, for: caller, at: known.time)
            let time = try await audit(minted, grant: grant, known)
            return Outcome(ending: .issued(minted.token, at: time), caller: caller, kind: known.kind)
        } catch is CancellationError {
            return Outcome(ending: .abandoned, caller: known.caller, kind: known.kind)
        } catch {
            return await refused(Refusal(error, known.row), known, unread: unread)
        }
    }

    /// Refuses a request that is not for a token.
    package func refuse(_ error: any Error, _ call: IncomingCall) async -> Outcome {
        await refused(Refusal(error, .noTokenRequest), Known(call: call))
    }

    /// Charges, counts and records a refusal as its rule says.
    private func refused(_ refusal: Refusal, _ known: Known, unread: UnreadRequest? = nil) async -> Outcome {
        let refusal = limits.settle(refusal, at: known.call.address)
        if refusal.rule.audit == .line {
            var known = known
            if known.caller == nil { known.scope = unread?.scope(rules) }
            let reason = refusal.error.reason
            // The request is refused already.
            try? await record(.init(reason), rule: reason.rawValue, known)
        }
        return Outcome(ending: .refused(refusal), caller: known.caller, kind: known.kind)
    }

    private func authenticate(_ known: inout Known) async throws -> Caller {
        defer { known.time = clock.now }
        // Before authentication, which would deny callers whose tokens are valid.
        guard clock.problem == nil else {
            throw TokenError(.clockUnavailable, "The service's clock is wrong. Retry later.", retryAfter: 60)
        }
        let caller = try await authenticator.caller(of: known.call)
        known.caller = caller
        return caller
    }

    private func mint(
        _ request: TokenRequest,
        for caller: Caller,
        at time: NumericDate
    ) async throws -> (token: MintedToken, isReused: Bool) {
        let start = clock.monotonic
        let kind = request.scope.kind
        do {
            let (token, isReused) = try await minter.token(
                for: request.scope,
                lifetime: request.lifetime,
                for: caller.bucket,
                now: time,
                allowsReuse: request.allowsReuse
            )
            metrics?.mintDuration[kind, isReused ? .reused : .signed].record(clock.duration(since: start))
            return (token, isReused)
        } catch {
            metrics?.mintDuration[kind, .failed].record(clock.duration(since: start))
            metrics?.minted[kind, .failed].increment()
            limits.note(error, of: caller)
            throw error is AdmissionRefusal ? Refusal(error, .queueFull) : error
        }
    }

    /// Records that a token is granted, and returns the time at which it is issued.
    private func audit(
        _ minted: (token: MintedToken, isReused: Bool),
        grant: String,
        _ known: Known
    ) async throws -> NumericDate {
        try await record(.allow, rule: grant, token: minted, known)
        let (token, isReused) = minted
        metrics?.minted[token.scope.kind, isReused ? .reused : .signed].increment()
        // The lifetime is relative to the time of issue, which can be a second after the request.
        let now = clock.now
        guard token.isValid(at: now) else {
            throw TokenError(
                .signerUnavailable,
                "The system clock changed while the token was minted. Retry.",
                retryAfter: 1
            )
        }
        return now
    }

    /// Records a decision, if there is an audit trail.
    private func record(
        _ decision: AuditRecord.Decision,
        rule: String,
        token: (MintedToken, isReused: Bool)? = nil,
        _ known: Known
    ) async throws {
        guard let audit else { return }
        let record = AuditRecord(
            time: known.time,
            requestID: known.call.id.description,
            traceID: known.call.trace?.traceID,
            caller: known.caller,
            address: known.call.address,
            kind: known.kind,
            scope: known.scope,
            decision: decision,
            rule: rule,
            token: token
        )
        try await audit.record(record.line, of: known.call.id, logger: logger)
    }
}
