import Foundation

@testable import TokenProvider

/// A cache with its calls and fetches, driven step by step, that records the rules which it breaks.
struct CacheModel {
    /// What may happen next.
    enum Action: Hashable {
        case call(Int)
        case cancel
        case end(Int, End)
        case wait(TimeInterval)
        case setDeviceClock(TimeInterval)
        case invalidate(Int)
        case signOut
        case changeCredentials
        case retryNow
    }

    /// How a fetch ends.
    enum End: Hashable, CaseIterable {
        case token, expired, failure, denial, overload, offline, timeLimit, signedOut

        /// What the next fetch of the scope waits for, and what ends the wait.
        var wait: Wait? {
            switch self {
            case .token, .signedOut: nil
            case .expired, .failure, .overload: Wait(seconds: 0.25, endedBy: nil)
            case .denial: Wait(seconds: 30, endedBy: .changeCredentials)
            case .offline, .timeLimit: Wait(seconds: 0.25, endedBy: .retryNow)
            }
        }

        var result: Result<Token, TokenProviderError> {
            switch self {
            case .token: .success(Token("token", lifetime: 3540))
            case .expired: .success(Token("token", lifetime: 0))
            case .failure: .failure(TokenProviderError(.unavailable, "", httpStatus: 500))
            case .denial: .failure(TokenProviderError(.permissionDenied, "", httpStatus: 403))
            case .overload: .failure(TokenProviderError(.unavailable, "", retryAfter: 7, httpStatus: 503))
            case .offline: .failure(TokenProviderError(.offline, ""))
            case .timeLimit: .failure(.timedOut)
            case .signedOut: .failure(TokenProviderError(.unauthenticated, ""))
            }
        }
    }

    /// The least time until the next fetch of a scope.
    struct Wait {
        let seconds: TimeInterval
        /// The action that ends it.
        let endedBy: Action?
    }

    private struct Fetch {
        let start: TokenCache.Start
        let began: TimeInterval
        let signOuts: Int
    }

    private static let scopes = [TokenScope.trip("a"), .vehicle("b")]

    private var cache = TokenCache()
    private var continuous: TimeInterval = 1_000
    private var wall: TimeInterval = 1_800_000_000
    private var fetches: [Fetch] = []
    private var waiting: [Int: TokenScope] = [:]
    private var lastCall = 0
    private var signOuts = 0
    /// The earliest time of the next fetch of a scope, by the results of its fetches, and the action that ends the wait.
    private var earliestFetch: [TokenScope: (time: TimeInterval, endedBy: Action?)] = [:]
    /// The earliest time of the next fetch of any scope.
    private var earliestFetchOfAny: TimeInterval = 0
    private(set) var violations: [String] = []
    /// Whether a planted fault is active.
    var fault: Fault?

    enum Fault: CaseIterable {
        case lostAnswer, secondAnswer, fetchInPause, tokenAfterSignOut, responseAsDevice
    }

    /// The actions that make sense now.
    var actions: [Action] {
        var actions: [Action] = [.call(0), .call(1), .wait(0.2), .wait(16), .wait(3_000), .invalidate(0), .signOut]
        actions += [.changeCredentials, .retryNow, .setDeviceClock(-5_000), .setDeviceClock(5_000)]
        if !waiting.isEmpty { actions.append(.cancel) }
        for index in fetches.indices { actions += End.allCases.map { .end(index, $0) } }
        return actions
    }

    mutating func perform(_ action: Action) {
        switch action {
        case .call(let index): call(Self.scopes[index])
        case .cancel: cancel()
        case .end(let index, let end): finish(fetches.remove(at: index), end)
        case .wait(let seconds): wait(seconds)
        case .setDeviceClock(let seconds): wall += seconds
        case .invalidate(let index): handle { $0.invalidate(Self.scopes[index], rejected: nil, &$1) }
        case .signOut:
            signOuts += 1
            endWaits(by: .changeCredentials)
            handle { $0.changeCredentials(isSignOut: true, &$1) }
            check(waiting.isEmpty, "a call waits after a sign-out")
        case .changeCredentials:
            endWaits(by: action)
            handle { $0.changeCredentials(isSignOut: false, &$1) }
        case .retryNow:
            endWaits(by: action)
            handle { $0.retryNow(&$1) }
        }
        checkWaiters()
    }

    /// Lets all fetches reach their time limit: then no call may wait.
    mutating func end() {
        for _ in 0..<3 where !waiting.isEmpty { wait(16) }
        check(waiting.isEmpty, "a call waits for ever")
    }
}

// MARK: - Events

extension CacheModel {
    private mutating func call(_ scope: TokenScope) {
        lastCall += 1
        let call = lastCall
        waiting[call] = scope
        let lookup = handle { $0.request(scope, for: call, &$1) }
        guard case .wait = lookup else {
            waiting[call] = nil
            if case .failure(let error) = lookup { check(error.retryAfter ?? 0 > 0, "a pause without a length") }
            return
        }
    }

    private mutating func cancel() {
        guard let (call, scope) = waiting.min(by: { $0.key < $1.key }) else { return }
        handle { $0.cancel(call, of: scope, &$1) }
        check(waiting[call] == nil, "a cancelled call waits")
    }

    private mutating func wait(_ seconds: TimeInterval) {
        continuous += seconds
        wall += seconds
        for fetch in fetches where continuous - fetch.began >= TokenCache.fetchTimeout {
            fetches.removeAll { $0.start.id == fetch.start.id }
            finish(fetch, .timeLimit)
        }
    }

    private mutating func finish(_ fetch: Fetch, _ end: End) {
        let scope = fetch.start.request.scope
        let isCurrent = cache.scopes[scope]?.fetch?.id == fetch.start.id
        var step = step()
        cache.finish(fetch.start, with: result(of: end), &step)
        if isCurrent, let wait = end.wait {
            earliestFetch[scope] = (continuous + wait.seconds, wait.endedBy)
            if end == .overload { earliestFetchOfAny = max(earliestFetchOfAny, continuous + 7) }
        }
        apply(step, of: fault == .tokenAfterSignOut ? nil : fetch)
    }

    private func result(of end: End) -> Result<Token, TokenProviderError> {
        guard fault == .responseAsDevice, end == .failure, case .failure(var error) = end.result else {
            return end.result
        }
        error.cooldown = .connection
        return .failure(error)
    }

    /// Ends the waits for the next fetch of a scope that an action ends.
    private mutating func endWaits(by action: Action) {
        earliestFetch = earliestFetch.filter { $0.value.endedBy != action }
    }

    private func step() -> TokenCache.Step {
        TokenCache.Step(now: Moment(continuous: continuous, wall: wall), random: 0)
    }

    @discardableResult
    private mutating func handle<Result>(_ event: (inout TokenCache, inout TokenCache.Step) -> Result) -> Result {
        var step = step()
        let result = event(&cache, &step)
        apply(step, of: nil)
        return result
    }

    private mutating func apply(_ step: TokenCache.Step, of fetch: Fetch?) {
        fetches.removeAll { step.ended.contains($0.start.id) }
        var answers = step.answers
        if fault == .lostAnswer { answers = Array(answers.dropFirst()) }
        if fault == .secondAnswer { answers += answers }
        for (call, result) in answers {
            check(waiting.removeValue(forKey: call) != nil, "a call is answered twice")
            guard case .success(let cached) = result else { continue }
            let now = Moment(continuous: continuous, wall: wall)
            check(cached.isUsable(at: now), "an expired token is delivered")
            check(fetch?.signOuts == signOuts, "a token from before a sign-out is delivered")
        }
        for start in step.starts { begin(start) }
    }

    private mutating func begin(_ start: TokenCache.Start) {
        let ofScope = earliestFetch[start.request.scope]?.time ?? 0
        let earliest = max(ofScope, earliestFetchOfAny) + (fault == .fetchInPause ? 1_000_000 : 0)
        check(continuous >= earliest, "a fetch starts during a pause")
        check(!fetches.contains { $0.start.request.scope == start.request.scope }, "two fetches of a scope run")
        fetches.append(Fetch(start: start, began: continuous, signOuts: signOuts))
    }

    /// Each call that waits does so for a fetch that runs.
    private mutating func checkWaiters() {
        let running = cache.scopes.values.compactMap(\.fetch)
        let calls = running.flatMap { Array($0.calls) }
        check(Set(calls) == Set(waiting.keys) && calls.count == waiting.count, "a call waits for nothing")
        check(Set(running.map(\.id)) == Set(fetches.map(\.start.id)), "a fetch is lost")
    }

    private mutating func check(_ holds: Bool, _ rule: String) {
        if !holds { violations.append(rule) }
    }
}
