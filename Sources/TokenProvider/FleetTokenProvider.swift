import Foundation

/// Fetches, caches and refreshes tokens, as Google's SDKs require of an app.
///
/// ```swift
/// let server = TokenServer(URL(string: "https://tokens.example.com")!)
/// let tokens = FleetTokenProvider(server) { request in
///     ["Authorization": "Bearer \(try await session.accessToken(renewed: request.credentialsWereRejected))"]
/// }
/// let token = try await tokens.token(for: .vehicle("vehicle-1"))
/// ```
///
/// - Each scope has its own token. Concurrent calls share one fetch of it. Cancelling one of them affects no other.
/// - A returned token has at least five minutes left, or half its lifetime where that is less.
/// - A token is refreshed before that, while calls continue to get it. A failed refresh goes unnoticed as long as the token
///   is usable.
/// - After a failure, fetches of the scope [pause](doc:HowRefreshWorks#Failures), regardless of the number of calls.
/// - Times are measured with clocks that cannot be set. Nothing is stored, and no timer runs without a fetch.
///
/// Keep one provider for as long as a user is signed in. Call ``removeAll()`` at sign-out, ``credentialsDidChange()`` after a
/// sign-in, and ``retryNow()`` when the network returns. All methods may be called from any thread.
public final class FleetTokenProvider: Sendable {
    typealias Fetch = @Sendable (TokenRequest) async throws -> Token

    /// What the lock protects.
    private struct State: Sendable {
        var cache = TokenCache()
        /// The calls that wait, by their numbers.
        var calls: [Int: Promise<CachedToken>] = [:]
        var lastCall = 0
        /// Ends a running fetch, and its time limit, by the fetch's number.
        var running: [Int: Running] = [:]
    }

    /// A call that the cache has answered, or that waits.
    private struct Call: Sendable {
        let id: Int
        let lookup: TokenCache.Lookup
        let promise: Promise<CachedToken>
    }

    private struct Running: Sendable {
        let task: Task<Void, Never>
        let endTimeLimit: @Sendable () -> Void
    }

    private let state = Lock(State())
    private let clock: ProviderClock
    private let onFetch: @Sendable (TokenScope, TokenProviderError?) -> Void
    private let fetch: Fetch

    /// Creates a provider that requests tokens from a token server.
    ///
    /// - Parameters:
    ///   - server: The token server. If its URL is invalid, each call fails.
    ///   - onFetch: Called when a fetch has ended, before its calls return, with nil for a token. It must be quick.
    ///   - credentials: Returns the header fields that authenticate the caller, such as `["Authorization": "Bearer …"]`. It
    ///     is called once for each fetch, and once more if the server rejects them: then
    ///     ``TokenRequest/credentialsWereRejected`` is true. It throws a ``TokenProviderError`` with the code
    ///     ``TokenProviderError/Code/unauthenticated`` if no user is signed in. Any error of another type counts as
    ///     transient. After an error nothing pauses, unless the server had rejected the credentials: only then the error's
    ///     ``TokenProviderError/retryAfter`` counts.
    public convenience init(
        _ server: TokenServer,
        onFetch: @escaping @Sendable (TokenScope, TokenProviderError?) -> Void = { _, _ in },
        credentials: @escaping @Sendable (TokenRequest) async throws -> [String: String]
    ) {
        let fetcher = TokenFetcher(server, credentials: credentials)
        self.init(onFetch: onFetch) { try await fetcher.token(for: $0) }
    }

    /// Creates a provider that gets tokens from a function.
    ///
    /// - Parameters:
    ///   - onFetch: Called when a fetch has ended, before its calls return, with nil for a token. It must be quick.
    ///   - fetch: Fetches a token. It may run for several scopes at once, and is cancelled after 15 seconds. A
    ///     ``TokenProviderError`` that it throws says whether and when a retry makes sense. Pass `httpStatus: 401` for a
    ///     server's rejection: without a status ``TokenProviderError/Code/unauthenticated`` means that no user is signed in,
    ///     and nothing pauses. Any other error counts as transient; ``retryNow()`` ends its pause only if it is a `URLError`
    ///     without a response. It must not request the same scope of this provider.
    public convenience init(
        onFetch: @escaping @Sendable (TokenScope, TokenProviderError?) -> Void = { _, _ in },
        fetch: @escaping @Sendable (TokenRequest) async throws -> Token
    ) {
        self.init(clock: .system, onFetch: onFetch, fetch: fetch)
    }

    package init(
        clock: ProviderClock,
        onFetch: @escaping @Sendable (TokenScope, TokenProviderError?) -> Void,
        fetch: @escaping @Sendable (TokenRequest) async throws -> Token
    ) {
        self.clock = clock
        self.onFetch = onFetch
        self.fetch = fetch
    }

    deinit {
        for running in state.withLock({ $0.running.values.map { $0 } }) {
            running.endTimeLimit()
            running.task.cancel()
        }
    }

    // MARK: Tokens

    /// Returns a token for the scope, from the cache or from a fetch.
    ///
    /// - Throws: ``TokenProviderError``, or `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) public func token(for scope: TokenScope) async throws -> Token {
        try scope.check()
        let now = clock.now()
        let (fresh, signOuts) = state.withLock { ($0.cache.freshToken(for: scope, at: now), $0.cache.signOuts) }
        if let fresh { return fresh }
        // A caller whose actor was busy resumes late: its token may have expired since, or belong to the last user.
        for _ in 0..<3 {
            try Task.checkCancellation()
            let call = begin(scope)
            switch call.lookup {
            case .token(let token): return token
            case .failure(let error): throw error
            case .wait: break
            }
            let cached = try await call.promise.value(onCancel: {
                self.handle { $0.cache.cancel(call.id, of: scope, &$1) }
            })
            let (currentSignOuts, changes) = state.withLock { ($0.cache.signOuts, $0.cache.changes) }
            guard currentSignOuts == signOuts else { throw TokenProviderError.signedOut }
            if cached.changes == changes, cached.isUsable(at: clock.now()) { return cached.token }
        }
        throw TokenProviderError(
            .unavailable,
            "Three tokens expired, or their credentials changed, before the caller's actor was free."
        )
    }

    /// Drops a token that Fleet Engine rejected with `UNAUTHENTICATED`, so that the next call fetches another.
    ///
    /// The token server is told that the last token was rejected, so that it doesn't return it again. If new tokens are
    /// rejected as well, fetches of the scope pause.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token.
    ///   - rejected: The token, if you have it: a newer one is kept. Google's SDKs name only an ID. Then reports within five
    ///     seconds after a token replaced another are attributed to the old one, because they may arrive late.
    public func invalidate(_ scope: TokenScope, rejected: Token? = nil) {
        handle { $0.cache.invalidate(scope, rejected: rejected, &$1) }
    }

    // MARK: Changes

    /// Ends the pauses that no response of the server caused: no network, an untrusted certificate, a failed connection.
    ///
    /// Call it when the network is back or the app comes to the foreground. The next call fetches at once. A fetch that began
    /// more than a second ago, perhaps over a connection that is gone, starts again once.
    public func retryNow() {
        handle { $0.cache.retryNow(&$1) }
    }

    /// Discards everything that belongs to the previous credentials; call it after a user has signed in or changed.
    ///
    /// Tokens are removed, and so are pauses after errors that the user or a developer must resolve. Waiting calls continue:
    /// their fetches start again with the new credentials, up to three times. Call it after the credentials closure returns the
    /// new ones, and not each time that the same user's credentials are renewed.
    public func credentialsDidChange() {
        handle { $0.cache.changeCredentials(isSignOut: false, &$1) }
    }

    /// Removes all tokens; call it at sign-out.
    ///
    /// After it returns, no call gets a token whose fetch began before. Waiting calls fail with
    /// ``TokenProviderError/Code/signedOut``. Pauses that protect the server remain.
    public func removeAll() {
        handle { $0.cache.changeCredentials(isSignOut: true, &$1) }
    }

    /// The number of scopes in the cache, for tests.
    package var scopeCount: Int { state.withLock { $0.cache.scopes.count } }
    /// Whether a fetch is running, for tests.
    package var isFetching: Bool { state.withLock { !$0.running.isEmpty } }
}

// MARK: - The cache's decisions

extension FleetTokenProvider {
    /// Begins a call; its promise is there before the cache may answer it.
    private func begin(_ scope: TokenScope) -> Call {
        let promise = Promise<CachedToken>()
        return handle { state, step in
            state.lastCall += 1
            let lookup = state.cache.request(scope, for: state.lastCall, &step)
            if case .wait = lookup { state.calls[state.lastCall] = promise }
            return Call(id: state.lastCall, lookup: lookup, promise: promise)
        }
    }

    /// Passes an event to the cache, and does what it decides: no foreign code runs, and nothing is resumed or cancelled,
    /// while the lock is held.
    @discardableResult
    private func handle<Result: Sendable>(_ event: (inout State, inout TokenCache.Step) -> Result) -> Result {
        var step = TokenCache.Step(now: clock.now(), random: clock.random())
        let (result, answers, ended) = state.withLock { state in
            let result = event(&state, &step)
            let answers = step.answers.map { (state.calls.removeValue(forKey: $0.call), $0.result) }
            let ended = step.ended.map { state.running.removeValue(forKey: $0) }
            for start in step.starts { state.running[start.id] = run(start) }
            return (result, answers, ended)
        }
        for end in step.ends { onFetch(end.scope, end.error) }
        for running in ended {
            running?.endTimeLimit()
            running?.task.cancel()
        }
        for (promise, result) in answers { promise?.resolve(result) }
        return result
    }

    /// Starts a fetch, in a task that inherits nothing of the caller's, and its time limit.
    private func run(_ start: TokenCache.Start) -> Running {
        let endTimeLimit = clock.timer(TokenCache.fetchTimeout) { [weak self] in
            self?.handle { $0.cache.finish(start, with: .failure(.timedOut), &$1) }
        }
        let task = Task.detached(priority: .userInitiated) { [weak self, fetch] in
            let result: Result<Token, TokenProviderError>
            do {
                result = .success(try await fetch(start.request))
            } catch {
                result = .failure(TokenProviderError(source: error))
            }
            self?.handle { $0.cache.finish(start, with: result, &$1) }
        }
        return Running(task: task, endTimeLimit: endTimeLimit)
    }
}
