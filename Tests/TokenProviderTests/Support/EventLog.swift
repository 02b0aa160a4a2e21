import ExpiringCache
import FleetToken
import Timing

@testable import TokenProvider

/// Keeps a provider's events, and lets a test wait for them.
final class EventLog: Sendable {
    private struct State {
        var events: [TokenProviderEvent] = []
        var waiters:
            [(isMet: @Sendable ([TokenProviderEvent]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var events: [TokenProviderEvent] { state.withLock { $0.events } }

    var observer: CachingTokenProvider.Observer {
        { [self] event in
            let met = state.withLock { state in
                state.events.append(event)
                let events = state.events
                let met = state.waiters.filter { $0.isMet(events) }.map(\.continuation)
                state.waiters.removeAll { $0.isMet(events) }
                return met
            }
            for waiter in met { waiter.resume() }
        }
    }

    /// Waits until so many fetches have ended, all told.
    func waitForFetches(_ count: Int) async {
        await wait { $0.filter(\.isFetchEnd).count >= count }
    }

    /// Waits until all fetches that have begun have ended.
    func waitForQuiet() async {
        await wait { Self.isQuiet($0) }
    }

    /// Whether all fetches that have begun have ended.
    var isQuiet: Bool { Self.isQuiet(events) }

    private static func isQuiet(_ events: [TokenProviderEvent]) -> Bool {
        events.filter(\.isFetchEnd).count >= events.filter(\.isFetchStart).count
    }

    /// Waits until so many callers have begun to wait, all told.
    func waitForWaiters(_ count: Int) async {
        await wait { $0.filter(\.isWait).count >= count }
    }

    private func wait(until isMet: @escaping @Sendable ([TokenProviderEvent]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                guard !isMet(state.events) else { return true }
                state.waiters.append((isMet, continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }
}

extension TokenProviderEvent {
    var isFetchStart: Bool { name == .fetchStarted }
    var isFetchEnd: Bool { name == .fetchFinished }
    var isWait: Bool { name == .wait }
    var isHit: Bool { name == .hit }
}
