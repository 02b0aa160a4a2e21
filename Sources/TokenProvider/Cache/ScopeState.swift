import Foundation

/// What is known of one scope: one token, one fetch, one pause.
struct ScopeState: Sendable {
    /// A running fetch.
    struct Fetch: Sendable {
        let id: Int
        let start: Moment
        /// Whether it repeats one whose connection may have been gone.
        let isRepeat: Bool
        /// How often a change of the credentials has started it again for its calls.
        let changes: Int
        /// The numbers of the calls that wait for it.
        var calls: Set<Int>
    }

    let scope: TokenScope
    private(set) var cached: CachedToken?
    private(set) var fetch: Fetch?
    private(set) var pause: Pause?
    /// The number of the last fetch: scopes are forgotten in its order.
    private(set) var lastFetch = 0
    /// Whether the last token was rejected and none has arrived since.
    private var mustBeNew = false
    /// Failed fetches in a row.
    private var failures = 0
    /// Tokens in a row that were rejected soon after they arrived.
    private var rejections = 0
    /// When a change of the credentials last ended a pause.
    private var pauseEndedAt: TimeInterval = -.infinity

    /// The seconds after a token replaced another during which reports that name no token concern the old one.
    static let lateReportWindow: TimeInterval = 5

    init(_ scope: TokenScope) {
        self.scope = scope
    }

    /// Whether a token that arrives now replaces another.
    var replacesAnother: Bool { cached != nil || mustBeNew }

    /// Returns a token that needs no refresh yet.
    func freshToken(at now: Moment) -> Token? {
        guard let cached, !cached.isDue(at: now), cached.isUsable(at: now) else { return nil }
        return cached.token
    }

    /// Returns the error for calls while the scope or the server pauses.
    func pauseError(_ serverPause: Pause?, at now: Moment) -> TokenProviderError? {
        let pauses = [pause, serverPause].compactMap { $0 }.filter { !$0.isOver(at: now) }
        guard let longest = pauses.max(by: { $0.until < $1.until }) else { return nil }
        var error = longest.error
        error.retryAfter = longest.until - now.continuous
        return error
    }
}

// MARK: - Fetches

extension ScopeState {
    /// Requests a token.
    ///
    /// - Parameters:
    ///   - call: The call that waits for it.
    ///   - id: The ID of a fetch that this starts.
    ///   - serverPause: The pause of all scopes.
    ///   - step: The event.
    /// - Returns: A token, an error or `wait`.
    mutating func request(
        for call: Int,
        fetch id: Int,
        serverPause: Pause?,
        _ step: inout TokenCache.Step
    ) -> TokenCache.Lookup {
        let pauseError = pauseError(serverPause, at: step.now)
        if let cached, cached.isUsable(at: step.now) {
            if cached.isDue(at: step.now), fetch == nil, pauseError == nil { start(id, &step) }
            return .token(cached.token)
        }
        if fetch == nil {
            if let pauseError { return .failure(pauseError) }
            start(id, &step)
        }
        // In place: ten thousand calls may wait.
        fetch?.calls.insert(call)
        return .wait
    }

    mutating func start(
        _ id: Int,
        for calls: Set<Int> = [],
        isRepeat: Bool = false,
        changes: Int = 0,
        _ step: inout TokenCache.Step
    ) {
        lastFetch = id
        fetch = Fetch(id: id, start: step.now, isRepeat: isRepeat, changes: changes, calls: calls)
        step.starts.append(TokenCache.Start(id: id, request: TokenRequest(scope, mustBeNew: mustBeNew)))
    }

    /// Ends the fetch, with or without a result.
    mutating func endFetch(_ step: inout TokenCache.Step) -> Fetch? {
        guard let ended = fetch.take() else { return nil }
        step.ended.append(ended.id)
        return ended
    }

    /// Ends the wait of a call; the fetch continues for the next one.
    mutating func remove(call: Int) { fetch?.calls.remove(call) }

    mutating func noteSuccess(_ token: CachedToken) {
        cached = token
        mustBeNew = false
        failures = 0
        pauseEndedAt = -.infinity
    }

    mutating func noteFailure(_ error: TokenProviderError, at now: Moment, random: Double) {
        guard error.cooldown != .none else { return }
        if error.cooldown != .device { failures += 1 }
        let length = error.cooldown.length(failures: failures, random: random)
        begin(Pause(error, until: now.continuous + length))
    }

    private mutating func begin(_ new: Pause) {
        if new.until > pause?.until ?? -.infinity { pause = new }
    }
}

// MARK: - Changes

extension ScopeState {
    /// Drops the token after it was rejected, if the report concerns it.
    ///
    /// A first rejected token is replaced at once. If new tokens are rejected as well, fetching pauses.
    ///
    /// - Returns: Whether the token was dropped.
    mutating func reject(_ rejected: Token?, at now: Moment, random: Double) -> Bool {
        guard let cached else { return false }
        let age = now.continuous - cached.arrived
        if let rejected {
            guard cached.token.hasSameText(as: rejected) else { return false }
        } else if cached.replacesAnother, age < Self.lateReportWindow {
            return false
        }
        self.cached = nil
        mustBeNew = true
        rejections = age < 30 ? rejections + 1 : 1
        if rejections > 1 {
            let error = TokenProviderError(
                .tokenRejected,
                "Fleet Engine rejects new tokens too. Check the server's keys, clock and claims."
            )
            begin(Pause(error, until: now.continuous + Pause.backoff(failures: rejections - 1, random: random)))
        }
        return true
    }

    /// Drops what belongs to the last credentials.
    ///
    /// A pause that protects the server remains. A pause after a permanent error ends, but not twice within its length:
    /// otherwise changing the credentials after each error would allow requests without end.
    mutating func changeCredentials(at now: Moment) {
        cached = nil
        mustBeNew = false
        rejections = 0
        guard let pause, pause.error.cooldown == .permanent, !pause.isOver(at: now),
            now.continuous - pauseEndedAt >= Cooldown.afterPermanentError
        else { return }
        pauseEndedAt = now.continuous
        failures = 0
        self.pause = nil
    }

    /// Ends a pause that the device caused.
    ///
    /// - Returns: Whether the fetch may wait for a connection that is gone.
    mutating func retryNow(at now: Moment) -> Bool {
        if pause?.error.cooldown.isFromDevice == true { (pause, failures) = (nil, 0) }
        // Once, so that its calls don't wait for ever.
        guard let fetch, !fetch.isRepeat else { return false }
        return now.age(since: fetch.start) >= 1
    }
}
