import FleetToken
import TestTime
import Timing

@testable import ExpiringCache
@testable import TokenProvider

/// A source whose fetches end together, when the test says so.
final class WaveSource: TokenSource {
    private struct State {
        var error: @Sendable (TokenScope) -> TokenProviderError? = { _ in nil }
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let fetches = Journal<TokenScope>()

    /// Sets what fetches that are released end with; nil for a token.
    func fail(with error: @escaping @Sendable (TokenScope) -> TokenProviderError?) {
        state.withLock { $0.error = error }
    }

    /// The number of fetches so far.
    var count: Int { fetches.entries.count }

    func fetchToken(for context: TokenFetchContext) async throws -> FetchedToken {
        await withCheckedContinuation { continuation in
            state.withLock { $0.held.append(continuation) }
            fetches.append(context.scope)
        }
        if let error = state.withLock({ $0.error })(context.scope) { throw error }
        return FetchedToken(Secret("token"), lifetime: 3540)
    }

    /// Waits until so many fetches are held.
    func waitForHeld(_ count: Int) async {
        await fetches.wait { [self] _ in state.withLock { $0.held.count } >= count }
    }

    /// Lets all fetches end that are held.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}

extension CachingTokenProvider {
    /// The number of fetches that have begun and not ended.
    var runningFetches: Int { cache.core.withLock { $0.state.flights.values.count { !$0.isQueued } } }
}
