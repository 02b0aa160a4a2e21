public import Foundation
public import TokenProvider

/// The fetches of a provider, scripted by a test: returns results, and records the requests.
///
/// Its tokens are the texts `token 1`, `token 2` and so on, in the order of the fetches. Pass ``fetch(_:)`` to a provider.
public final class ScriptedTokens: Sendable {
    /// Returns the result of a fetch; the number of the fetch starts at 1.
    public typealias Answer = @Sendable (TokenRequest, Int) async throws -> Token

    private struct State: Sendable {
        var answer: Answer
        var requests: [TokenRequest] = []
        var waiters = CountWaiters()
    }

    private let state: Lock<State>

    /// Creates a script whose tokens have a fixed lifetime in seconds: 3,540, as those of `tokend`.
    public init(lifetime: TimeInterval = 3540) {
        state = Lock(State(answer: { _, number in Token("token \(number)", lifetime: lifetime) }))
    }

    /// All requests so far.
    public var requests: [TokenRequest] { state.withLock { $0.requests } }

    /// Makes further fetches return tokens with a lifetime in seconds.
    public func succeed(lifetime: TimeInterval = 3540) {
        answer { _, number in Token("token \(number)", lifetime: lifetime) }
    }

    /// Makes further fetches throw an error.
    public func fail(_ error: any Error) {
        answer { _, _ in throw error }
    }

    /// Sets a function that returns the results of further fetches.
    public func answer(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Waits until a total number of fetches have begun.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForRequests(_ count: Int) async throws {
        try Task.checkCancellation()
        let (waiter, met) = state.withLock { ($0.waiters.add(count), $0.waiters.take(upTo: $0.requests.count)) }
        for waiter in met { waiter.resolve(.success(())) }
        try await waiter.value()
    }

    /// Returns the scripted result.
    @Sendable
    public func fetch(_ request: TokenRequest) async throws -> Token {
        let (answer, number, met) = state.withLock { state in
            state.requests.append(request)
            let number = state.requests.count
            return (state.answer, number, state.waiters.take(upTo: number))
        }
        for waiter in met { waiter.resolve(.success(())) }
        return try await answer(request, number)
    }
}
