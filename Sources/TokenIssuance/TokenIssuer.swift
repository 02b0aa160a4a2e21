import FleetToken
package import ServiceSupport
package import TokenMinting

/// The steps from a request for a token to the recorded decision, in their order.
///
/// How it works: ``issue(_:_:)`` is the only way to a token. It runs
///
///     authenticate ─► limit ─► read ─► authorize ─► mint ─► audit
///
/// and each step throws its ``Refusal``, whose row of ``RefusalRule`` is followed in one place. The limit comes before the
/// grant, so that a caller over its limit costs no webhook call, and before the body, which costs more to read than all
/// previous steps. The audit line is written before the token is released; without the line no token is issued.
package final class TokenIssuer: Sendable {
    let authenticator: any Authenticator
    package let limits: CallerLimits
    let authorizer: any Authorizer
    package let minter: ReusingMinter
    let audit: AuditTrail?
    let clock: ServiceClock

    /// Creates an issuer with these steps.
    package init(
        authenticator: any Authenticator,
        limits: CallerLimits,
        authorizer: any Authorizer,
        minter: ReusingMinter,
        audit: AuditTrail?,
        clock: ServiceClock
    ) {
        self.authenticator = authenticator
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

    /// Why a request ends without a token.
    private enum End: Error {
        case refused(Refusal)
        /// The client closed the connection while the request waited.
        case abandoned
    }

    /// Issues a token for a request, or refuses it.
    package func issue(_ routed: RoutedRequest, _ call: IncomingCall) async -> Outcome {
        var record = RequestRecord(call: call, kind: routed.kind)
        do throws(End) {
            let caller = try await authenticate(&record)
            try limit(caller)
            let request = try read(routed, &record)
            let grant = try await authorize(caller, for: request.scope, call)
            let minted = try await mint(request, for: caller)
            let time = try await release(minted, grant: grant, record)
            return record.outcome(.issued(minted.token, at: time, isReused: minted.isReused))
        } catch {
            switch error {
            case .refused(let refusal): return await refused(refusal, record, routed: routed)
            case .abandoned: return record.outcome(.abandoned)
            }
        }
    }

    /// Refuses a request that is not for a token.
    package func refuse(_ refusal: Refusal, _ call: IncomingCall) async -> Outcome {
        await refused(refusal, RequestRecord(call: call))
    }

    // MARK: - Steps

    private func authenticate(_ record: inout RequestRecord) async throws(End) -> Caller {
        defer { record.authenticatedAt = clock.now }
        // Before authentication, which would deny callers whose tokens are valid.
        guard clock.problem == nil else { throw .refused(.clockIsWrong) }
        do {
            let caller = try await authenticator.caller(of: record.call)
            record.caller = caller
            return caller
        } catch {
            throw .refused(Refusal(unauthenticated: error))
        }
    }

    private func limit(_ caller: Caller) throws(End) {
        do {
            try limits.admit(caller)
        } catch {
            throw .refused(error)
        }
    }

    private func read(_ routed: RoutedRequest, _ record: inout RequestRecord) throws(End) -> ValidatedRequest {
        do {
            let request = try routed.read(record.call.head)
            (record.kind, record.scope) = (request.scope.kind, request.scope)
            return request
        } catch {
            throw .refused(Refusal(invalidRequest: error))
        }
    }

    /// Returns the name of the grant that allows a request.
    private func authorize(
        _ caller: Caller,
        for scope: TokenScope,
        _ call: IncomingCall
    ) async throws(End) -> String {
        do {
            return try await authorizer.authorize(caller, for: scope, in: call)
        } catch {
            switch error {
            case .denied(let decision): throw .refused(Refusal(denied: decision))
            case .abandoned: throw .abandoned
            }
        }
    }

    private func mint(_ request: ValidatedRequest, for caller: Caller) async throws(End) -> Minted {
        do {
            let minted = try await minter.token(
                for: request.scope,
                lifetime: request.lifetime,
                for: caller.bucket,
                allowsReuse: request.allowsReuse
            )
            return (minted.token, minted.isReused)
        } catch is CancellationError {
            throw .abandoned
        } catch is IAMError where Task.isCancelled {
            throw .abandoned
        } catch let error as GateRefusal {
            throw .refused(Refusal(queueFull: error))
        } catch {
            throw .refused(Refusal(notMinted: error))
        }
    }

    /// Records that a token is granted, and returns the time at which it is issued.
    private func release(_ minted: Minted, grant: String, _ record: RequestRecord) async throws(End) -> NumericDate {
        do {
            try await addLine(.allow, rule: grant, token: minted, record)
        } catch {
            throw .refused(error)
        }
        // The lifetime is relative to the time of issue, which can be a second after the request.
        let now = clock.now
        guard minted.token.isValid(at: now) else { throw .refused(.clockChanged) }
        return now
    }

    // MARK: - Refusals and records

    /// Charges, counts and records a refusal as its rule says.
    private func refused(_ refusal: Refusal, _ record: RequestRecord, routed: RoutedRequest? = nil) async -> Outcome {
        let refusal = limits.charge(refusal, to: record.call.address)
        if refusal.rule.audit == .line {
            var record = record
            if record.caller == nil { record.scope = routed?.scope() }
            let reason = refusal.error.reason
            // The request is refused already.
            try? await addLine(.init(reason), rule: reason.rawValue, record)
        }
        return record.outcome(.refused(refusal))
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
