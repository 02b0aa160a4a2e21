package import FleetToken
import HTTPTypes
package import Logging
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
        try await authenticator.caller(
            of: context.head,
            certificateNames: context.certificateNames,
            allowance: limits.allowance(of: context.address)
        )
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
        if let requested, !(error is LimitedRefusal) {
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
            let rule = try await authorizer.authorize(caller, for: wanted.scope, requestID: context.requestID)
            let (minted, isReused) = try await mint(wanted, caller, now)
            let outcome = AuditRecord.Outcome.allowed(minted, isReused: isReused, by: rule)
            try await record(line(outcome, of: wanted.requested, to: caller, context, at: now), context)
            return (minted, try handOut(minted, isReused: isReused))
        } catch {
            if Self.needsLine(error) {
                try? await record(line(.refused(error), of: wanted.requested, to: caller, context, at: now), context)
            }
            throw error
        }
    }

    /// Returns whether a refusal is recorded individually: not if it is counted, or if its line is the one that could
    /// not be written.
    @inline(never)
    private static func needsLine(_ error: any Error) -> Bool {
        !(error is LimitedRefusal) && (error as? TokenError)?.reason != .auditUnavailable
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

    private func mint(
        _ wanted: TokenRequest,
        _ caller: Caller,
        _ now: NumericDate
    ) async throws -> (MintedToken, isReused: Bool) {
        let kind = wanted.scope.kind
        let start = ContinuousClock.now
        var result = MintResultLabel.failed
        defer {
            metrics?.mintDuration[kind, result].record(start.duration(to: .now))
            if result == .failed { metrics?.minted[kind, .failed].increment() }
        }
        do {
            let (token, isReused) = try await minter.token(
                for: wanted.scope,
                lifetime: wanted.lifetime,
                now: now,
                allowsReuse: wanted.allowsReuse
            )
            result = isReused ? .reused : .signed
            return (token, isReused)
        } catch {
            throw limits.counted(error, of: caller)
        }
    }

    @inline(never)
    private func record(_ line: AuditLineDraft?, _ context: RequestContext) async throws {
        guard let audit, let line else { return }
        do {
            try await audit.append(line)
        } catch {
            throw unavailable(audit, error, context)
        }
        endOutage(audit)
    }

    // What never waits is not inlined, so that it is not part of the task's memory.

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
    private func endOutage(_ audit: AuditTrail) {
        let refused = audit.outage.end()
        if refused > 0 {
            logger.notice("The audit trail is written again.", metadata: ["refused": .stringConvertible(refused)])
        }
    }

    @inline(never)
    private func unavailable(_ audit: AuditTrail, _ error: any Error, _ context: RequestContext) -> TokenError {
        if audit.outage.count() {
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
