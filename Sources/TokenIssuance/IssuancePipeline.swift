package import FleetToken
import HTTPTypes
package import Logging
import ServiceSupport
import Telemetry
package import TokenMinting

/// From a request for a token to the token: caller, limit, grant, minter, audit.
///
/// The limit comes before the grant, so that a caller over its limit costs no webhook call. The audit line is written
/// before the token is released; without the line no token is issued.
///
/// A class, because each request goes through it: copying all its parts would cost more than most of its steps.
package final class IssuancePipeline: Sendable {
    let authenticator: any Authenticator
    package let limits: CallerLimits
    let authorizer: any Authorizer
    let minter: ReusingMinter
    package let audit: AuditTrail?
    /// Metrics of minting; nil for none.
    let metrics: IssuanceMetrics?
    package let now: @Sendable () -> NumericDate
    let logger: Logger

    /// Creates a pipeline of these steps.
    package init(
        authenticator: any Authenticator,
        limits: CallerLimits,
        authorizer: any Authorizer,
        minter: ReusingMinter,
        audit: AuditTrail?,
        metrics: IssuanceMetrics? = nil,
        now: @escaping @Sendable () -> NumericDate,
        logger: Logger
    ) {
        self.authenticator = authenticator
        self.limits = limits
        self.authorizer = authorizer
        self.minter = minter
        self.audit = audit
        self.metrics = metrics
        self.now = now
        self.logger = logger
    }

    /// Returns the caller of a request.
    ///
    /// - Throws: If authentication fails; pass the error to ``refuse(_:of:_:)``.
    package func caller(_ context: RequestContext) async throws -> Caller {
        try await authenticator.caller(of: context, limits: limits)
    }

    /// Refuses a request that failed before authentication.
    ///
    /// All such failures come here: each is charged to its address, and is on record while that is within its limit.
    ///
    /// - Parameters:
    ///   - error: Why it failed.
    ///   - requested: The requested token; nil if it is not a token request and so not a decision.
    ///   - context: The request's context.
    /// - Returns: The error to answer with.
    package func refuse(_ error: any Error, of requested: RequestedToken?, _ context: RequestContext) async -> any Error
    {
        let error = await limits.charge(error, to: context.address)
        if let requested, !(error is LimitedRefusal), !(error is UnrecordedRefusal) {
            try? await record(line(.refused(error), of: requested, to: nil, context, at: now()), context)
        }
        return error
    }

    /// Returns the token that an authenticated caller requested.
    ///
    /// - Returns: The token, and the time at which it is issued.
    /// - Throws: ``TokenError`` when the caller may not have it, or it cannot be made or recorded now.
    package func token(
        for wanted: TokenRequest,
        _ caller: Caller,
        _ context: RequestContext
    ) async throws -> (MintedToken, now: NumericDate) {
        let now = now()
        do {
            let rule = try await authorizer.authorize(caller, for: wanted, requestID: context.requestID)
            let (minted, isReused) = try await mint(wanted, caller, now)
            try await record(line(minted, isReused, rule, wanted, caller, context, now), context)
            return (minted, try handOut(minted, isReused: isReused))
        } catch {
            throw await recorded(error, of: wanted, to: caller, context, at: now)
        }
    }

    /// Returns the error of a refusal, after it was recorded if it needs a line.
    @inline(never)
    private func recorded(
        _ error: any Error,
        of wanted: TokenRequest,
        to caller: Caller,
        _ context: RequestContext,
        at time: NumericDate
    ) async -> any Error {
        if Self.needsLine(error) {
            try? await record(line(.refused(error), of: wanted.requested, to: caller, context, at: time), context)
        }
        return error
    }

    /// Returns whether a refusal is recorded individually: not if it is counted, if its line is the one that could not
    /// be written, or if the client has gone before there was a decision.
    @inline(never)
    private static func needsLine(_ error: any Error) -> Bool {
        !(error is LimitedRefusal) && !(error is CancellationError)
            && (error as? TokenError)?.reason != .auditUnavailable
    }

    /// Returns the time at which a recorded token is issued.
    @inline(never)
    private func handOut(_ minted: MintedToken, isReused: Bool) throws -> NumericDate {
        metrics?.minted[minted.scope.kind, isReused ? .reused : .signed].increment()
        // The lifetime is relative to the time of issue, which can be a second after the request.
        let now = now()
        guard minted.isValid(at: now) else {
            throw TokenError(
                .signerUnavailable,
                "The system clock changed while the token was minted. Retry.",
                retryAfter: 1
            )
        }
        return now
    }

    @inline(never)
    private func mint(
        _ wanted: TokenRequest,
        _ caller: Caller,
        _ now: NumericDate
    ) async throws -> (MintedToken, isReused: Bool) {
        let start = MonotonicClock.nanoseconds()
        do {
            let (token, isReused) = try await minter.token(
                for: wanted.scope,
                lifetime: wanted.lifetime,
                for: caller.flow,
                now: now,
                allowsReuse: wanted.allowsReuse
            )
            measure(wanted, isReused ? .reused : .signed, since: start)
            return (token, isReused)
        } catch {
            measure(wanted, .failed, since: start)
            throw limits.counted(error, of: caller)
        }
    }

    @inline(__always)
    private func record(_ line: AuditLineDraft?, _ context: RequestContext) async throws {
        guard let line else { return }
        do {
            try await audit?.append(line)
        } catch {
            throw unavailable(error, context)
        }
        endOutage()
    }

    // What never waits is not inlined, so that it is not part of the task's memory.

    @inline(never)
    private func measure(_ wanted: TokenRequest, _ result: MintResultLabel, since start: Int64) {
        let kind = wanted.scope.kind
        metrics?.mintDuration[kind, result].record(.nanoseconds(MonotonicClock.nanoseconds() - start))
        if result == .failed { metrics?.minted[kind, .failed].increment() }
    }

    /// Returns the line of a token that is issued; nil if there is no trail.
    @inline(never)
    private func line(
        _ minted: MintedToken,
        _ isReused: Bool,
        _ rule: String,
        _ wanted: TokenRequest,
        _ caller: Caller,
        _ context: RequestContext,
        _ time: NumericDate
    ) -> AuditLineDraft? {
        let outcome = AuditRecord.Outcome.allowed(minted, isReused: isReused, by: rule)
        return line(outcome, of: wanted.requested, to: caller, context, at: time)
    }

    /// Returns the line of a decision; nil if there is no trail.
    @inline(never)
    private func line(
        _ outcome: AuditRecord.Outcome,
        of requested: RequestedToken,
        to caller: Caller?,
        _ context: RequestContext,
        at time: NumericDate
    ) -> AuditLineDraft? {
        guard let audit else { return nil }
        return AuditRecord(outcome, of: requested, to: caller, context, at: time).line(ids: audit.ids)
    }

    @inline(never)
    private func endOutage() {
        let refused = audit?.outage.end() ?? 0
        if refused > 0 {
            logger.notice("The audit trail can be written again.", metadata: ["refused": .stringConvertible(refused)])
        }
    }

    @inline(never)
    private func unavailable(_ error: any Error, _ context: RequestContext) -> any Error {
        if let audit, audit.outage.count() {
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: ["request_id": "\(context.requestID)", "error": "\(OperatorMessage(error))"]
            )
        }
        return TokenError(
            .auditUnavailable,
            "The audit trail is temporarily unavailable. Retry later.",
            retryAfter: 5
        )
    }
}
