import Foundation

/// A value behind a lock.
///
/// `Mutex` needs iOS 18.
final class Locked<Value>: @unchecked Sendable {
    // Sendable: `value` is touched nowhere but between `lock()` and `unlock()`, and only sendable copies leave.
    private var value: Value
    private let lock = NSLock()

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Output: Sendable>(_ body: (inout Value) -> Output) -> Output {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
