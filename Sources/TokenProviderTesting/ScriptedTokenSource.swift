import ExpiringCache
public import Foundation
public import TokenProvider

/// A token source that answers as a test says, and remembers what it was asked.
///
/// Its tokens are the texts `token 1`, `token 2` and so on, in the order of the fetches.
public final class ScriptedTokenSource: TokenSource {
    /// What it does when it is asked; the number is that of the fetch, from 1.
    public typealias Answer = @Sendable (TokenFetchContext, Int) async throws -> FetchedToken

    private struct State: Sendable {
        var answer: Answer
        var contexts: [TokenFetchContext] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Lock<State>

    /// Creates a source whose tokens live for so many seconds.
    ///
    /// - Parameters:
    ///   - lifetime: How many seconds the tokens live: 3,540, as those of `tokend`.
    ///   - delay: How many seconds a fetch takes.
    ///   - clock: By which clock it takes them; without one, a fetch takes no time.
    public convenience init(lifetime: TimeInterval = 3540, delay: TimeInterval = 0, clock: ManualClock? = nil) {
        self.init { _, number in
            if delay > 0 { try await clock?.sleep(for: delay) }
            return FetchedToken(Secret("token \(number)"), lifetime: lifetime)
        }
    }

    /// Creates a source that answers with a function.
    public init(_ answer: @escaping Answer) {
        state = Lock(State(answer: answer))
    }

    /// What it was asked so far.
    public var contexts: [TokenFetchContext] { state.withLock { $0.contexts } }

    /// Answers with a function from now on.
    public func answer(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Answers with tokens from now on, which live for so many seconds.
    public func succeed(lifetime: TimeInterval = 3540) {
        answer { _, number in FetchedToken(Secret("token \(number)"), lifetime: lifetime) }
    }

    /// Answers with an error from now on.
    public func fail(_ error: any Error) {
        answer { _, _ in throw error }
    }

    /// Waits until so many fetches have begun, from the first on.
    public func waitForFetches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.contexts.count < count else { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Does what the test said.
    public func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        let (answer, number, met) = state.withLock { state in
            state.contexts.append(context)
            let number = state.contexts.count
            let met = state.waiters.filter { $0.count <= number }.map(\.continuation)
            state.waiters.removeAll { $0.count <= number }
            return (state.answer, number, met)
        }
        for waiter in met { waiter.resume() }
        return try await answer(context, number)
    }
}
