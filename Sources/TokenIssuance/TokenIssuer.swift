import FleetToken
package import ServiceSupport
package import TokenMinting

/// The steps from a request for a token to the recorded decision, in their order.
///
/// How it works: ``issue(_:_:)`` is the only way to a token. It runs
///
///     authenticate ─► limit ─► read ─► authorize ─► mint ─► release
///
/// and each step throws its ``Refusal``, whose consequences are drawn in one place. The limit comes before the
/// grant, so that a caller over its limit costs no webhook call, and before the body, which costs more to read than all
/// previous steps. The release writes the audit line; without the line no token is issued.
package final class TokenIssuer: Sendable {
    /// Returns the caller of a request.
    package typealias Authenticate = @Sendable (IncomingCall) async throws(AuthenticationFailure) -> Caller

    private let authentication: Authenticate
    package let limits: CallerLimits
    private let authorizer: GrantAuthorizer
    package let minter: ReusingMinter
    private let audit: AuditTrail?
    private let clock: ServiceClock

    /// Creates an issuer with these steps.
    package init(
        authenticate: @escaping Authenticate,
        limits: CallerLimits,
        authorizer: GrantAuthorizer,
        minter: ReusingMinter,
        audit: AuditTrail?,
        clock: ServiceClock
    ) {
        authentication = authenticate
        self.limits = limits
        self.authorizer = authorizer
        self.minter = minter
        self.audit = audit
        self.clock = clock
    }

    /// What is known of a request so far.
    private struct RequestRecord {
        let call: IncomingCall
        var kind: TokenKind?
        var caller: Caller?
        var scope: TokenScope?
        /// When authentication ended.
        var authenticatedAt = NumericDate(seconds: 0)

        func outcome(_ ending: Outcome.Ending) -> Outcome { Outcome(ending: ending, caller: caller, kind: kind) }
    }

    private typealias Minted = (token: MintedToken, isReused: Bool)

    /// Issues a token for a request, or refuses it.
    package func issue(_ routed: RoutedRequest, _ call: IncomingCall) async -> Outcome {
        var record = RequestRecord(call: call, kind: routed.kind)
        do throws(Refusal) {
            let caller = try await authenticate(&record)
            try limits.admit(caller)
            let request = try read(routed, &record)
            let grant = try await authorizer.authorize(caller, for: request.scope, in: call)
            let minted = try await mint(request, for: caller)
            let time = try await release(minted, grant: grant, record)
            return record.outcome(.issued(minted.token, at: time, isReused: minted.isReused))
        } catch {
            return await refused(error, record, routed: routed)
        }
    }

    /// Refuses a request that is not for a token.
    package func refuse(_ refusal: Refusal, _ call: IncomingCall) async -> Outcome {
        await refused(refusal, RequestRecord(call: call))
    }

    // MARK: - Steps

    private func authenticate(_ record: inout RequestRecord) async throws(Refusal) -> Caller {
        defer { record.authenticatedAt = clock.now }
        // Before authentication, which would deny callers whose tokens are valid.
        guard clock.problem == nil else { throw .clockIsWrong }
        do {
            let caller = try await authentication(record.call)
            record.caller = caller
            return caller
        } catch {
            // The wait for an issuer's keys ends when the client goes.
            throw error.code == .keysUnavailable && Task.isCancelled ? .abandoned : .unauthenticated(error)
        }
    }

    private func read(_ routed: RoutedRequest, _ record: inout RequestRecord) throws(Refusal) -> ValidatedRequest {
        do {
            let request = try routed.read(record.call.head)
            (record.kind, record.scope) = (request.scope.kind, request.scope)
            return request
        } catch {
            throw .invalidRequest(error)
        }
    }

    private func mint(_ request: ValidatedRequest, for caller: Caller) async throws(Refusal) -> Minted {
        do {
            return try await minter.token(
                for: request.scope,
                lifetime: request.lifetime,
                for: caller.bucket,
                allowsReuse: request.allowsReuse
            )
        } catch is CancellationError {
            throw .abandoned
        } catch is IAMError where Task.isCancelled {
            throw .abandoned
        } catch let error as GateRefusal {
            throw .queueFull(retryAfter: error.retryAfter)
        } catch {
            throw .notMinted(error)
        }
    }

    /// Records that a token is granted, and returns the time at which it is issued.
    private func release(
        _ minted: Minted,
        grant: String,
        _ record: RequestRecord
    ) async throws(Refusal) -> NumericDate {
        try await addLine(.allow, rule: grant, token: minted, record)
        // The lifetime is relative to the time of issue, which can be a second after the request.
        let now = clock.now
        guard minted.token.isValid(at: now) else { throw .clockChanged }
        return now
    }

    // MARK: - Refusals and records

    /// Charges, counts and records a refusal.
    private func refused(_ refusal: Refusal, _ record: RequestRecord, routed: RoutedRequest? = nil) async -> Outcome {
        let (refusal, isRecorded) = limits.charge(refusal, to: record.call.address)
        if isRecorded, refusal.consequences.isAudited {
            var record = record
            if record.caller == nil { record.scope = routed?.scope() }
            let reason = refusal.error.reason
            // The request is refused already.
            try? await addLine(.init(reason), rule: reason.rawValue, record)
        }
        return record.outcome(.refused(refusal, isRecorded: isRecorded))
    }

    /// Records a decision, if there is an audit trail.
    private func addLine(
        _ decision: AuditRecord.Decision,
        rule: String,
        token: (MintedToken, isReused: Bool)? = nil,
        _ record: RequestRecord
    ) async throws(Refusal) {
        guard let audit else { return }
        let line = AuditRecord(
            call: record.call,
            time: record.authenticatedAt,
            caller: record.caller,
            kind: record.kind,
            scope: record.scope,
            decision: decision,
            rule: rule,
            token: token
        )
        try await audit.record(line.json)
    }
}
