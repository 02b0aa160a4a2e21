import Synchronization

/// Bounds what is under way for all callers together, and lets none of them take all places.
///
/// A caller may take a place while it holds fewer than are free: one alone gets half of them, of two that ask for more each
/// gets a third, and who holds none gets one as long as there is one. (These are the dynamic thresholds by which switches
/// share a buffer among queues.)
final class FairGate: Sendable {
    private struct State {
        var free: Int
        var held: [String: Int] = [:]
    }

    private let state: Mutex<State>

    /// A gate with so many places.
    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs something, if its caller may take a place.
    ///
    /// - Returns: What it returns; nil when there was no place.
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
