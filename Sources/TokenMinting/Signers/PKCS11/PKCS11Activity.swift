import Synchronization

/// Which of a module's functions is being called, and since when.
final class PKCS11Activity: Sendable {
    /// Creates a call that has not returned.
    struct Call: Sendable {
        /// The module's path.
        let module: String
        /// The function's name; nil while another caller's turn is awaited.
        let function: String?
        /// The time since its start.
        let duration: Duration
    }

    private let module: String
    private let current = Mutex<(function: String, start: ContinuousClock.Instant)?>(nil)

    init(module: String) {
        self.module = module
    }

    /// Calls a function of the module.
    func during<Result>(_ function: String, _ body: () -> Result) -> Result {
        current.withLock { $0 = (function, .now) }
        defer { current.withLock { $0 = nil } }
        return body()
    }

    /// Returns the current call, if it has taken longer than a limit.
    func call(longerThan limit: Duration) -> Call? {
        guard let (function, start) = current.withLock({ $0 }) else { return nil }
        let duration = start.duration(to: .now)
        return duration >= limit ? Call(module: module, function: function, duration: duration) : nil
    }
}
