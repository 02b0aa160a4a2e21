import Synchronization

/// Limits concurrent operations of all callers together, and prevents one caller from using all slots.
///
/// A caller may take a slot while it holds fewer than are free: one caller alone gets half of them, two get a third
/// each, and a caller without a slot gets one as long as any is free. (These are the dynamic thresholds with which
/// switches share a buffer among queues.)
final class FairGate: Sendable {
    private struct State {
        var free: Int
        var held: [String: Int] = [:]
    }

    private let state: Mutex<State>

    /// Creates a gate with a number of slots.
    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs something, if its caller may take a place.
    ///
    /// - Returns: The body's result; nil if there was no slot.
    func pass<Result>(_ caller: String, _ body: () async throws -> Result) async rethrows -> Result? {
        guard enter(caller) else { return nil }
        defer { leave(caller) }
        return try await body()
    }

    private func enter(_ caller: String) -> Bool {
        state.withLock { state in
            guard state.held[caller, default: 0] < state.free else { return false }
            state.held[caller, default: 0] += 1
            state.free -= 1
            return true
        }
    }

    private func leave(_ caller: String) {
        state.withLock { state in
            let left = state.held[caller, default: 1] - 1
            state.held[caller] = left > 0 ? left : nil
            state.free += 1
        }
    }
}
