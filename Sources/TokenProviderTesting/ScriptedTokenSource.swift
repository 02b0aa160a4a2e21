public import Foundation
import Timing
public import TokenProvider

/// A token source that returns results scripted by a test, and records its contexts.
///
/// Its tokens are the texts `token 1`, `token 2` and so on, in the order of the fetches.
public final class ScriptedTokenSource: TokenSource {
    /// Returns the result of a fetch; the number of the fetch starts at 1.
    public typealias Answer = @Sendable (TokenFetchContext, Int) async throws -> FetchedToken

    private struct State: Sendable {
        var answer: Answer
        var contexts: [TokenFetchContext] = []
        var waiters = CountWaiters()
    }

    private let state: Lock<State>

    /// Creates a source whose tokens have a fixed lifetime.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of the tokens in seconds: 3,540, as for those of `tokend`.
    ///   - delay: The duration of a fetch in seconds.
    ///   - clock: The clock for the delay; without a clock, a fetch takes no time.
    public convenience init(lifetime: TimeInterval = 3540, delay: TimeInterval = 0, clock: ManualClock? = nil) {
        self.init { _, number in
            if delay > 0 { try await clock?.sleep(for: delay) }
            return FetchedToken("token \(number)", lifetime: lifetime)
        }
    }

    /// Creates a source that returns the results of a function.
    public init(_ answer: @escaping Answer) {
        state = Lock(State(answer: answer))
    }

    /// The contexts of all fetches so far.
    public var contexts: [TokenFetchContext] { state.withLock { $0.contexts } }

    /// Sets a function that returns the results of further fetches.
    public func answer(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Makes further fetches return tokens with a lifetime in seconds.
    public func succeed(lifetime: TimeInterval = 3540) {
        answer { _, number in FetchedToken("token \(number)", lifetime: lifetime) }
    }

    /// Makes further fetches throw an error.
    public func fail(_ error: any Error) {
        answer { _, _ in throw error }
    }

    /// Waits until a total number of fetches have begun.
    ///
    /// To wait until fetches have ended, use `CachingTokenProvider.waitForFetches()`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForFetches(_ count: Int) async throws {
        try Task.checkCancellation()
        let (waiter, met) = state.withLock { ($0.waiters.add(count), $0.waiters.take(upTo: $0.contexts.count)) }
        for waiter in met { waiter.resolve(.success(())) }
        try await waiter.value()
    }

    /// Returns the scripted result.
    public func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        let (answer, number, met) = state.withLock { state in
            state.contexts.append(context)
            let number = state.contexts.count
            return (state.answer, number, state.waiters.take(upTo: number))
        }
        for waiter in met { waiter.resolve(.success(())) }
        return try await answer(context, number)
    }
}
