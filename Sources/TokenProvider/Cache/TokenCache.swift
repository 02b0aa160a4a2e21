import Foundation

/// The tokens of a provider, as a state machine: events go in, decisions come out.
///
/// It has no clock, lock or task.
struct TokenCache: Sendable {
    /// The time limit of a fetch, after which its calls fail and its result doesn't count.
    static let fetchTimeout: TimeInterval = 15
    /// The maximum number of scopes: a backend's, an app has one or two.
    static let capacity = 10_000
    /// A fetch that is older than this was interrupted: the process was suspended or a clock was set.
    private static let longestFetch = fetchTimeout + 10

    enum Lookup: Sendable {
        case token(Token)
        case failure(TokenProviderError)
        /// The call waits for a fetch.
        case wait
    }

    /// A fetch to start.
    struct Start: Sendable {
        let id: Int
        let request: TokenRequest
    }

    /// A token for a call that waited, and the number of changes of the credentials up to then.
    struct Delivery: Sendable {
        let token: KeptToken
        let changes: Int
    }

    /// One event: when it is handled, and what follows from it.
    struct Step {
        let now: Moment
        /// A number between 0 and 1.
        let random: Double
        var starts: [Start] = []
        /// The numbers of fetches that have ended or are to be cancelled.
        var ended: [Int] = []
        var answers: [(call: Int, result: Result<Delivery, any Error>)] = []
        var events: [TokenEvent] = []

        init(now: Moment, random: Double) {
            self.now = now
            self.random = random
        }
    }

    private(set) var scopes: [TokenScope: ScopeState] = [:]
    private(set) var serverPause: Pause?
    /// Changes of the credentials, sign-outs included.
    private(set) var changes = 0
    private(set) var signOuts = 0
    private var serverFailures = 0
    private var lastFetch = 0
    /// The number of scopes at which those are dropped that are not needed any more.
    private var pruneAt = 256

    /// Returns a token that needs no refresh yet.
    func freshToken(for scope: TokenScope, at now: Moment) -> Token? {
        guard let kept = scopes[scope]?.kept, !kept.isDue(at: now), kept.isUsable(at: now) else { return nil }
        return kept.token
    }

    /// Requests a token for a call, or for no call in particular.
    mutating func request(_ scope: TokenScope, for call: Int?, _ step: inout Step) -> Lookup {
        if scopes[scope] == nil {
            makeRoom(at: step.now)
            scopes[scope] = ScopeState()
        }
        let isFetching = scopes[scope]?.flight != nil
        let refusal = refusal(of: scope, at: step.now)
        if let kept = scopes[scope]?.kept, kept.isUsable(at: step.now) {
            if kept.isDue(at: step.now), !isFetching, refusal == nil { start(scope, &step) }
            return .token(kept.token)
        }
        if !isFetching {
            if let refusal { return .failure(refusal) }
            start(scope, &step)
        }
        // In place: ten thousand calls may wait.
        if let call { scopes[scope]?.flight?.calls.insert(call) }
        return .wait
    }

    /// Ends the wait of a call that was cancelled.
    ///
    /// The fetch continues for the next call.
    mutating func cancel(_ call: Int, of scope: TokenScope, _ step: inout Step) {
        scopes[scope]?.flight?.calls.remove(call)
        step.answers.append((call, .failure(CancellationError())))
    }

    /// Takes the result of a fetch; that of any but the current one of its scope is dropped.
    mutating func finish(_ start: Start, with result: Result<Token, TokenProviderError>, _ step: inout Step) {
        let scope = start.request.scope
        guard var state = scopes[scope], let flight = state.flight, flight.id == start.id else { return }
        state.flight = nil
        step.ended.append(flight.id)
        scopes[scope] = state
        switch result {
        case .success(let token): succeed(token, flight, scope, &step)
        case .failure(let error):
            // Not after a refusal: the source was reached.
            let wasInterrupted = error.remedy == .wait && step.now.age(since: flight.start) > Self.longestFetch
            fail(error, flight, scope, mayRepeat: wasInterrupted, &step)
        }
    }

    /// Drops a token that Fleet Engine rejected.
    mutating func invalidate(_ scope: TokenScope, rejected: Token?, _ step: inout Step) {
        guard var state = scopes[scope], state.reject(rejected, at: step.now, random: step.random) else { return }
        // A refresh that didn't require a new token may return the rejected one.
        if let flight = state.flight, flight.calls.isEmpty {
            state.flight = nil
            step.ended.append(flight.id)
        }
        scopes[scope] = state
    }

    /// Ends the pauses that the device caused.
    mutating func retryNow() {
        if serverPause?.isFromDevice == true { serverPause = nil }
        for scope in scopes.keys { scopes[scope]?.retryNow() }
    }

    /// Drops all that belongs to the last credentials: what was fetched, and what is being fetched.
    mutating func changeCredentials(isSignOut: Bool, _ step: inout Step) {
        changes += 1
        if isSignOut { signOuts += 1 }
        for (scope, var state) in scopes {
            let flight = state.flight
            state.flight = nil
            state.changeCredentials(at: step.now, random: step.random)
            scopes[scope] = state
            guard let flight else { continue }
            step.ended.append(flight.id)
            if isSignOut {
                answer(flight.calls, .failure(TokenProviderError.removed), &step)
            } else if let refusal = refusal(of: scope, at: step.now) {
                answer(flight.calls, .failure(refusal), &step)
            } else if !flight.calls.isEmpty {
                start(scope, for: flight.calls, &step)
            }
        }
    }
}

// MARK: - Results

extension TokenCache {
    private mutating func succeed(
        _ token: Token,
        _ flight: ScopeState.Flight,
        _ scope: TokenScope,
        _ step: inout Step
    ) {
        let last = scopes[scope]
        let lifetime = token.lifetime.seconds(deviceClock: flight.start.wall)
        let kept = KeptToken(
            token: token.expiring(in: lifetime, since: flight.start.wall),
            start: flight.start,
            arrived: step.now.continuous,
            replacesAnother: last?.kept != nil || last?.mustBeNew == true,
            schedule: KeptToken.Schedule(lifetime: lifetime, random: step.random)
        )
        guard kept.isUsable(at: step.now) else {
            let error = TokenProviderError(
                .unavailable,
                "The token had expired on arrival. Check the server's clock, the lifetime of its tokens and its latency."
            )
            // If it was usable when it was sent, the next one may arrive in time.
            return fail(error, flight, scope, mayRepeat: kept.schedule.usable > 0, &step)
        }
        scopes[scope]?.noteSuccess(kept)
        serverFailures = 0
        step.events.append(.fetched(scope, seconds: step.now.age(since: flight.start)))
        answer(flight.calls, .success(Delivery(token: kept, changes: changes)), &step)
    }

    private mutating func fail(
        _ error: TokenProviderError,
        _ flight: ScopeState.Flight,
        _ scope: TokenScope,
        mayRepeat: Bool,
        _ step: inout Step
    ) {
        step.events.append(.failed(scope, error))
        if mayRepeat, !flight.isRepeat, !flight.calls.isEmpty, refusal(of: scope, at: step.now) == nil {
            return start(scope, for: flight.calls, isRepeat: true, &step)
        }
        scopes[scope]?.noteFailure(error, at: step.now, random: step.random)
        noteServerFailure(error, &step)
        var failure = error
        failure.retryAfter = refusal(of: scope, at: step.now)?.retryAfter ?? error.retryAfter
        answer(flight.calls, .failure(failure), &step)
    }

    /// Pauses all scopes for exactly as long as the server asks: the scope's own pause is longer by its backoff, so a scope
    /// that is limited for ever leaves room for the others.
    private mutating func noteServerFailure(_ error: TokenProviderError, _ step: inout Step) {
        guard error.extent == .server else { return }
        serverFailures += 1
        let length = error.retryAfter ?? Pause.backoff(failures: serverFailures, random: step.random)
        let pause = Pause(error, until: step.now.continuous + length)
        if pause.until > serverPause?.until ?? -.infinity { serverPause = pause }
    }

    private func answer(_ calls: Set<Int>, _ result: Result<Delivery, any Error>, _ step: inout Step) {
        for call in calls { step.answers.append((call, result)) }
    }
}

// MARK: - Fetches

extension TokenCache {
    private mutating func start(
        _ scope: TokenScope,
        for calls: Set<Int> = [],
        isRepeat: Bool = false,
        _ step: inout Step
    ) {
        lastFetch += 1
        let mustBeNew = scopes[scope]?.mustBeNew == true
        scopes[scope]?.flight = ScopeState.Flight(id: lastFetch, start: step.now, isRepeat: isRepeat, calls: calls)
        step.starts.append(Start(id: lastFetch, request: TokenRequest(scope, mustBeNew: mustBeNew)))
    }

    /// Returns the error for calls while the scope or the server pauses.
    private func refusal(of scope: TokenScope, at now: Moment) -> TokenProviderError? {
        let pauses = [scopes[scope]?.pause, serverPause].compactMap { $0 }.filter { !$0.isOver(at: now) }
        guard let longest = pauses.max(by: { $0.until < $1.until }) else { return nil }
        var error = longest.error
        error.retryAfter = longest.until - now.continuous
        return error
    }

    /// Drops scopes that are not needed any more, such as those of trips that have ended, before another is added.
    private mutating func makeRoom(at now: Moment) {
        guard scopes.count >= pruneAt else { return }
        scopes = scopes.filter { !$0.value.isIdle(at: now) }
        if scopes.count >= Self.capacity {
            let idle = scopes.filter { $0.value.flight == nil }
            let oldest = idle.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(Self.capacity / 10)
            for (scope, _) in oldest { scopes[scope] = nil }
        }
        pruneAt = min(max(256, 2 * scopes.count), Self.capacity)
    }
}

extension ScopeState {
    /// When the scope last got a token, by the continuous clock.
    fileprivate var lastUse: TimeInterval { kept?.arrived ?? -.infinity }
}
