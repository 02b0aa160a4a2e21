package import FleetToken
import HTTPTypes
package import Logging
package import ServiceSupport
package import TokenMinting

/// The steps from a request for a token to the recorded decision, in their order.
///
/// How it works: ``outcome(of:_:)`` is the only way to a token. It runs
///
///     authenticate ─► admit ─► read ─► authorize ─► mint ─► record
///
/// and each step throws what ends it. A failure before the caller is known is charged to its address. The limit comes before
/// the grant, so that a caller over its limit costs no webhook call, and before the body, which costs more to read than all
/// previous steps. The audit line is written before the token is released; without the line no token is issued.
package final class IssuancePipeline: Sendable {
    let authenticator: any Authenticator
    package let limits: CallerLimits
    let alphabet: ResourceID.Alphabet
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
        alphabet: ResourceID.Alphabet = .ascii,
        authorizer: any Authorizer,
        minter: ReusingMinter,
        audit: AuditTrail?,
        metrics: IssuanceMetrics? = nil,
        clock: ServiceClock,
        logger: Logger = Logger(label: "fleet-token", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.authenticator = authenticator
        self.limits = limits
        self.alphabet = alphabet
        self.authorizer = authorizer
        self.minter = minter
        self.audit = audit
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
    }

    /// Returns the outcome of a request for a token.
    package func outcome(of unread: UnreadRequest, _ call: IncomingCall) async -> Outcome {
        let caller: Caller
        do {
            caller = try await authenticator.caller(of: call, limits: limits)
            call.onAuthentication?()
        } catch {
            let refusal = await limits.charge(error, to: call.address)
            return await refused(refusal, call, kind: unread.kind, scope: unread.scope(alphabet), at: clock.now)
        }
        do {
            try await limits.admit(caller)
            return await outcome(of: try unread.read(call.head, alphabet: alphabet), by: caller, call)
        } catch {
            return Outcome(.refused(Refusal(error, record: .logged)), to: caller, kind: unread.kind)
        }
    }

    /// Refuses a request that is not for a token, and charges the error to its address.
    package func refuse(_ error: any Error, _ call: IncomingCall) async -> Outcome {
        Outcome(.refused(await limits.charge(error, to: call.address)))
    }

    /// Returns the outcome of an admitted caller's valid request, after it was recorded.
    private func outcome(of request: TokenRequest, by caller: Caller, _ call: IncomingCall) async -> Outcome {
        let (scope, time) = (request.scope, clock.now)
        do {
            let grant = try await authorizer.authorize(caller, for: request, requestID: call.id.description)
            let (token, isReused) = try await mint(request, for: caller, at: time)
            let issued = AuditRecord.Token(token, isReused: isReused)
            try await record(
                line(call, caller: caller, scope: scope, at: time, decision: .allow, rule: grant, token: issued),
                call
            )
            return Outcome(.issued(token, at: try issue(token, isReused: isReused)), to: caller, kind: scope.kind)
        } catch is CancellationError {
            return Outcome(.abandoned, to: caller, kind: scope.kind)
        } catch {
            return await refused(Refusal(error), call, caller: caller, kind: scope.kind, scope: scope, at: time)
        }
    }

    /// Returns the outcome of a refusal, after it was recorded if it needs a line in the audit trail.
    private func refused(
        _ refusal: Refusal,
        _ call: IncomingCall,
        caller: Caller? = nil,
        kind: TokenKind?,
        scope: TokenScope?,
        at time: NumericDate
    ) async -> Outcome {
        if refusal.record == .audited {
            let reason = refusal.error.reason
            let line = line(
                call,
                caller: caller,
                kind: kind,
                scope: scope,
                at: time,
                decision: .init(reason),
                rule: reason.rawValue
            )
            // The request is refused already.
            try? await record(line, call)
        }
        return Outcome(.refused(refusal), to: caller, kind: kind)
    }

    private func mint(
        _ request: TokenRequest,
        for caller: Caller,
        at time: NumericDate
    ) async throws -> (MintedToken, isReused: Bool) {
        let start = clock.monotonic
        let kind = request.scope.kind
        do {
            let (token, isReused) = try await minter.token(
                for: request.scope,
                lifetime: request.lifetime,
                for: caller.name,
                now: time,
                allowsReuse: request.allowsReuse
            )
            metrics?.mintDuration[kind, isReused ? .reused : .signed].record(clock.duration(since: start))
            return (token, isReused)
        } catch {
            metrics?.mintDuration[kind, .failed].record(clock.duration(since: start))
            metrics?.minted[kind, .failed].increment()
            throw limits.counted(error, of: caller)
        }
    }

    /// Returns the time at which a recorded token is issued.
    private func issue(_ token: MintedToken, isReused: Bool) throws -> NumericDate {
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

    /// Returns the line of a decision; nil if there is no audit trail.
    ///
    /// Inlined, the record would be in the task's memory of each request: 1,600 bytes in place of 448.
    @inline(never)
    private func line(
        _ call: IncomingCall,
        caller: Caller?,
        kind: TokenKind? = nil,
        scope: TokenScope?,
        at time: NumericDate,
        decision: AuditRecord.Decision,
        rule: String,
        token: AuditRecord.Token? = nil
    ) -> AuditLineDraft? {
        guard let audit else { return nil }
        let record = AuditRecord(
            time: time,
            requestID: call.id.description,
            traceID: call.trace?.traceID,
            caller: caller,
            address: call.address,
            kind: kind,
            scope: scope,
            decision: decision,
            rule: rule,
            token: token
        )
        return record.line(ids: audit.ids)
    }

    /// Writes the line of a decision.
    ///
    /// - Throws: ``Refusal`` without a line of its own if it cannot be written.
    private func record(_ line: AuditLineDraft?, _ call: IncomingCall) async throws {
        guard let audit, let line else { return }
        do {
            try await audit.append(line)
        } catch {
            if audit.outage.count() { logOutage(.failure(error), call) }
            let unavailable = TokenError(
                .auditUnavailable,
                "The audit trail is temporarily unavailable. Retry later.",
                // Of many callers, so that they do not return together.
                retryAfter: .random(in: 2...8)
            )
            throw Refusal(unavailable, record: .logged)
        }
        let refused = audit.outage.end()
        if refused > 0 { logOutage(.success(refused), call) }
    }

    /// Logs the first failure of an outage, or at its end the number of refused requests.
    ///
    /// Inlined, the log's metadata would be in the task's memory of each request: 1,088 bytes in place of 112.
    @inline(never)
    private func logOutage(_ change: Result<Int, any Error>, _ call: IncomingCall) {
        switch change {
        case .failure(AuditObstacle.overloaded):
            logger.warning(
                "The audit trail is overloaded. Requests are refused.",
                metadata: ["request_id": "\(call.id)", "error": "\(AuditObstacle.overloaded)"]
            )
        case .failure(let error):
            logger.error(
                "Writing the audit trail failed. Requests are refused until it is written again.",
                metadata: ["request_id": "\(call.id)", "error": "\(OperatorMessage(error))"]
            )
        case .success(let refused):
            logger.notice("The audit trail can be written again.", metadata: ["refused": .stringConvertible(refused)])
        }
    }
}
