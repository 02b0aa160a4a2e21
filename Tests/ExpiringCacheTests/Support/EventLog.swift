import Timing

@testable import ExpiringCache

/// What a cache told its observer, and a way to wait until it did.
final class EventLog: Sendable {
    private struct State: Sendable {
        var events: [CacheEvent<String>] = []
        var watchers:
            [(condition: @Sendable ([CacheEvent<String>]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var events: [CacheEvent<String>] { state.withLock { $0.events } }

    func note(_ event: CacheEvent<String>) {
        let ready = state.withLock { state in
            state.events.append(event)
            let events = state.events
            let ready = state.watchers.filter { $0.condition(events) }
            state.watchers.removeAll { $0.condition(events) }
            return ready
        }
        for watcher in ready { watcher.continuation.resume() }
    }

    func wait(until condition: @escaping @Sendable ([CacheEvent<String>]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard !condition(state.events) else { return true }
                state.watchers.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// How many callers have begun to wait.
    var waits: Int { events.waits }
    /// How many fetches were started.
    var starts: Int { events.starts }
    /// How many fetches have ended.
    var ends: Int { events.ends }
}

extension [CacheEvent<String>] {
    fileprivate var waits: Int { count { $0.name == .wait } }
    fileprivate var starts: Int { count { $0.name == .fetchStarted } }
    fileprivate var ends: Int { count { $0.name == .fetchFinished } }
}

extension EventLog {
    func wait(forWaits count: Int) async { await wait { $0.waits >= count } }
    func wait(forEnds count: Int) async { await wait { $0.ends >= count } }
}
