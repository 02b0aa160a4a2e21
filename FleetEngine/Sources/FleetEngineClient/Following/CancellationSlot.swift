import Synchronization

/// The function that cancels the latest of a series of numbered requests or timers.
///
/// A request or timer exists before its function is kept, and is possibly cancelled before that, by another thread.
final class CancellationSlot: Sendable {
    typealias Cancel = @Sendable () -> Void

    private struct State: Sendable {
        var latest: (number: UInt64, cancel: Cancel)?
        /// Numbers up to this one were cancelled or replaced.
        var obsolete: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit {
        state.withLock { $0.latest }?.cancel()
    }

    /// Keeps a function instead of the one with a lower number, which is called; calls it if it is obsolete already.
    func keep(_ number: UInt64, _ cancel: @escaping Cancel) {
        let obsolete = state.withLock { state -> Cancel? in
            guard number > state.obsolete else { return cancel }
            defer { state.latest = (number, cancel) }
            state.obsolete = number - 1
            return state.latest?.cancel
        }
        obsolete?()
    }

    /// Cancels the request or timer with a number, and all before it.
    func cancel(upTo number: UInt64) {
        let cancel = state.withLock { state -> Cancel? in
            state.obsolete = max(state.obsolete, number)
            guard let latest = state.latest, latest.number <= number else { return nil }
            state.latest = nil
            return latest.cancel
        }
        cancel?()
    }
}
