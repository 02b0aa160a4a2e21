import FleetToken
import Timing
import TokenProviderTesting

@testable import TokenProvider

/// The source of apps' tests, under a shorter name.
typealias ScriptedSource = ScriptedTokenSource

extension ScriptedTokenSource {
    /// The scopes of all fetches so far.
    var scopes: [TokenScope] { contexts.map(\.scope) }
    var count: Int { contexts.count }
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
