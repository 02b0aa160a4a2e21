import Synchronization

/// The one value of several over time that is in use now.
///
/// A class as the value makes reading and replacing it a matter of one pointer.
final class Current<Value: AnyObject & Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) {
        stored = Mutex(value)
    }

    /// The value; users keep the value that they began with.
    var value: Value { stored.withLock { $0 } }

    /// Puts another one in its place.
    func replace(with value: Value) {
        // The previous value is released outside the lock, for which all requests would wait.
        _ = stored.withLock { exchange(&$0, with: value) }
    }
}
