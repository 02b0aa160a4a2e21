import Synchronization

/// The one value of several over time that is in use now.
///
/// A class as the value makes reading and replacing it a matter of one pointer.
final class Current<Value: AnyObject & Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) {
        stored = Mutex(value)
    }

    /// The value; whoever began with one keeps it to the end.
    var value: Value { stored.withLock { $0 } }

    /// Puts another one in its place.
    func replace(with value: Value) {
        // The one before leaves the lock, and is not freed under it: all who ask would wait for that.
        _ = stored.withLock { exchange(&$0, with: value) }
    }
}
