import ExpiringCache
import FleetToken
import Timing

@testable import TokenProvider

/// A source that does what the test says, and counts.
final class ScriptedSource: TokenSource {
    typealias Answer = @Sendable (TokenScope, Int) async throws -> FetchedToken

    private struct State {
        var answer: Answer
        var contexts: [TokenFetchContext] = []
    }

    private let state: Lock<State>

    /// A source whose tokens live for so long.
    convenience init(lifetime: Double = 3540) {
        self.init { _, number in FetchedToken(Secret("token \(number)"), lifetime: lifetime) }
    }

    init(_ answer: @escaping Answer) {
        state = Lock(State(answer: answer))
    }

    func answer(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    func fail(_ error: any Error) {
        answer { _, _ in throw error }
    }

    func succeed(lifetime: Double = 3540) {
        answer { _, number in FetchedToken(Secret("token \(number)"), lifetime: lifetime) }
    }

    /// The scopes of all fetches so far.
    var scopes: [TokenScope] { contexts.map(\.scope) }
    var count: Int { scopes.count }

    /// The contexts of all fetches so far.
    var contexts: [TokenFetchContext] { state.withLock { $0.contexts } }

    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        let (answer, number) = state.withLock { state in
            state.contexts.append(context)
            return (state.answer, state.contexts.count)
        }
        return try await answer(context.scope, number)
    }
}

/// Something that holds tasks back until it is opened.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// Waits until it is open; cancelling doesn't help.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
