import Foundation

/// The tokens of a provider, as a state machine: events go in, decisions come out.
///
/// It has no clock, lock or task.
struct TokenCache: Sendable {
    /// The time limit of a fetch, after which its calls fail and its result doesn't count.
    static let fetchTimeout: TimeInterval = 15
    /// The maximum number of scopes: a backend's, an app has one or two.
    static let capacity = 10_000
    /// How often a change of the credentials starts a fetch again for its calls: an app may change them in each fetch.
    static let maximumChanges = 3

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

    /// One event: when it is handled, and what follows from it.
    struct Step {
        let now: Moment
        /// A number between 0 and 1.
        let random: Double
        var starts: [Start] = []
        /// The numbers of fetches that have ended or are to be cancelled.
        var ended: [Int] = []
        var answers: [(call: Int, result: Result<CachedToken, any Error>)] = []
        /// What `onFetch` is called with.
        var ends: [(scope: TokenScope, error: TokenProviderError?)] = []

        init(now: Moment, random: Double) {
            self.now = now
            self.random = random
        }

        mutating func answer(_ calls: Set<Int>, _ result: Result<CachedToken, any Error>) {
            for call in calls { answers.append((call, result)) }
        }
    }

    private(set) var scopes: [TokenScope: ScopeState] = [:]
    private(set) var serverPause: Pause?
    /// Changes of the credentials, sign-outs included.
    private(set) var changes = 0
    private(set) var signOuts = 0
    private var lastFetch = 0

    /// Returns a token that needs no refresh yet.
    func freshToken(for scope: TokenScope, at now: Moment) -> Token? { scopes[scope]?.freshToken(at: now) }

    /// Requests a token for a call.
    mutating func request(_ scope: TokenScope, for call: Int, _ step: inout Step) -> Lookup {
        if scopes.count >= Self.capacity, scopes[scope] == nil { makeRoom() }
        let (fetch, serverPause) = (nextFetch(), serverPause)
        return scopes[scope, default: ScopeState(scope)]
            .request(for: call, fetch: fetch, serverPause: serverPause, &step)
    }

    /// Ends the wait of a call that was cancelled.
    mutating func cancel(_ call: Int, of scope: TokenScope, _ step: inout Step) {
        scopes[scope]?.remove(call: call)
        step.answer([call], .failure(CancellationError()))
    }

    /// Takes the result of a fetch; that of any but the current one of its scope is dropped.
    mutating func finish(_ start: Start, with result: Result<Token, TokenProviderError>, _ step: inout Step) {
        let scope = start.request.scope
        guard var state = scopes[scope], state.fetch?.id == start.id, let fetch = state.endFetch(&step) else { return }
        switch result {
        case .success(let token): succeed(&state, with: token, after: fetch, &step)
        case .failure(let error): fail(&state, with: error, after: fetch, &step)
        }
        scopes[scope] = state
    }

    /// Drops a token that Fleet Engine rejected.
    mutating func invalidate(_ scope: TokenScope, rejected: Token?, _ step: inout Step) {
        guard var state = scopes[scope], state.reject(rejected, at: step.now, random: step.random) else { return }
        // A refresh that didn't require a new token may return the rejected one.
        if let ended = state.endFetch(&step) { startAgain(&state, for: ended.calls, changes: ended.changes, &step) }
        scopes[scope] = state
    }

    /// Ends the pauses that the device caused, and starts fetches again that may wait for a connection that is gone.
    mutating func retryNow(_ step: inout Step) {
        for (scope, var state) in scopes {
            let isStale = state.retryNow(at: step.now) && state.pauseError(serverPause, at: step.now) == nil
            if isStale, let ended = state.endFetch(&step) {
                state.start(nextFetch(), for: ended.calls, isRepeat: true, changes: ended.changes, &step)
            }
            scopes[scope] = state
        }
    }

    /// Drops all that belongs to the last credentials: what was fetched, and what is being fetched.
    mutating func changeCredentials(isSignOut: Bool, _ step: inout Step) {
        changes += 1
        if isSignOut { signOuts += 1 }
        for (scope, var state) in scopes {
            let ended = state.endFetch(&step)
            state.changeCredentials(at: step.now)
            if let ended {
                if isSignOut {
                    step.answer(ended.calls, .failure(TokenProviderError.signedOut))
                } else if ended.changes == Self.maximumChanges {
                    fail(&state, with: .credentialsChangedAgain, after: ended, &step)
                } else {
                    startAgain(&state, for: ended.calls, changes: ended.changes + 1, &step)
                }
            }
            scopes[scope] = state
        }
    }

    /// Starts a fetch for the calls that waited for one that was ended; during a pause they fail.
    private mutating func startAgain(
        _ state: inout ScopeState,
        for calls: Set<Int>,
        changes: Int,
        _ step: inout Step
    ) {
        guard !calls.isEmpty else { return }
        if let error = state.pauseError(serverPause, at: step.now) { return step.answer(calls, .failure(error)) }
        state.start(nextFetch(), for: calls, changes: changes, &step)
    }

    private mutating func nextFetch() -> Int {
        lastFetch += 1
        return lastFetch
    }

    /// Forgets a tenth of the scopes: those whose last fetch is the longest ago, such as trips that have ended.
    private mutating func makeRoom() {
        let idle = scopes.values.filter { $0.fetch == nil }.sorted { $0.lastFetch < $1.lastFetch }
        for state in idle.prefix(Self.capacity / 10) { scopes[state.scope] = nil }
    }
}

// MARK: - Results

extension TokenCache {
    private mutating func succeed(
        _ state: inout ScopeState,
        with token: Token,
        after fetch: ScopeState.Fetch,
        _ step: inout Step
    ) {
        let lifetime = token.lifetime.seconds(deviceClock: fetch.start.wall)
        let cached = CachedToken(
            token: Token(token, lifetime: lifetime, start: fetch.start.wall),
            start: fetch.start,
            arrived: step.now.continuous,
            replacesAnother: state.replacesAnother,
            changes: changes,
            schedule: CachedToken.Schedule(lifetime: lifetime, random: step.random)
        )
        guard cached.isUsable(at: step.now) else {
            let error = TokenProviderError(
                .unavailable,
                "The token had expired on arrival. Check its lifetime, and the clock and latency of its server."
            )
            return fail(&state, with: error, after: fetch, &step)
        }
        state.noteSuccess(cached)
        step.ends.append((state.scope, nil))
        step.answer(fetch.calls, .success(cached))
    }

    private mutating func fail(
        _ state: inout ScopeState,
        with error: TokenProviderError,
        after fetch: ScopeState.Fetch,
        _ step: inout Step
    ) {
        step.ends.append((state.scope, error))
        state.noteFailure(error, at: step.now, random: step.random)
        pauseAllScopes(after: error, &step)
        var failure = error
        failure.retryAfter = state.pauseError(serverPause, at: step.now)?.retryAfter
        step.answer(fetch.calls, .failure(failure))
    }

    /// Pauses all scopes for as long as the server asks.
    ///
    /// The scope's own pause is longer by its backoff. So when this one ends, other scopes fetch before the one that failed.
    private mutating func pauseAllScopes(after error: TokenProviderError, _ step: inout Step) {
        guard case .server(let delay) = error.cooldown else { return }
        let until = step.now.continuous + Pause.delay(delay, random: step.random)
        if until > serverPause?.until ?? -.infinity { serverPause = Pause(error, until: until) }
    }
}
