import Foundation

/// A lock around a state.
///
/// `Mutex` needs iOS 18, and ThreadSanitizer doesn't understand it on Linux.
package final class Lock<State: Sendable>: @unchecked Sendable {
    // Proof of Sendable: `state` is accessed only by `withLock`, between `lock` and `unlock`, so never by two threads at
    // once. Because the state is `Sendable` itself, values may move into and out of it between threads.
    private let lock = NSLock()
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the state; it must be short and call no foreign code.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
