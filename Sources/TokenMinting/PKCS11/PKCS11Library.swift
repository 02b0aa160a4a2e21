import ServiceSupport
import Synchronization

/// A module in this process: loaded once, called by one thread, and awaited with a time limit.
///
/// A call into a module can hang and cannot be cancelled. The thread stays in it, and its callers continue with an
/// error.
final class PKCS11Library: Sendable {
    private static let known = Mutex<[String: PKCS11Library]>([:])

    /// Returns the library at a path, which is loaded on its first call.
    static func at(_ path: String) -> PKCS11Library {
        known.withLock { known in
            if let library = known[path] { return library }
            let library = PKCS11Library(path)
            known[path] = library
            return library
        }
    }

    /// Returns the calls into modules that have taken longer than a limit.
    static func hangs(longerThan limit: Duration) -> [PKCS11Error] {
        known.withLock { Array($0.values) }.compactMap { $0.activity.hang(longerThan: limit) }
    }

    let path: String
    private let activity: PKCS11Activity
    /// A call that hangs fills its queue.
    private let worker = Worker(maximumJobs: 1_000)
    /// The loaded module; only the worker sets it.
    private let module = Mutex<PKCS11Module?>(nil)

    private init(_ path: String) {
        self.path = path
        activity = PKCS11Activity(module: path)
    }

    /// Runs an operation on the module's thread, after previous ones, unless no caller waits for it any more then.
    ///
    /// - Throws: ``PKCS11Error`` that names the module and the function if it takes longer, the operation's error, or
    ///   `CancellationError`.
    func run<Result: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable (PKCS11Module) throws -> Result
    ) async throws -> Result {
        // Operations queued behind a hanging call would wait in vain.
        if let hang = activity.hang(longerThan: limit) { throw hang }
        // A call that hangs yields nothing: a stream lets its caller go.
        let (results, waiting) = AsyncThrowingStream<Result?, any Error>.makeStream()
        let isAccepted = worker.run {
            guard case .enqueued = waiting.yield(nil) else { return }
            do {
                waiting.yield(try body(try self.loaded()))
            } catch {
                waiting.finish(throwing: error)
            }
        }
        guard isAccepted else { throw hanging(for: limit) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                for try await result in results where result != nil { return result }
                throw CancellationError()
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() ?? nil else { throw hanging(for: limit) }
            return result
        }
    }

    private func hanging(for limit: Duration) -> PKCS11Error {
        activity.hang(longerThan: .zero) ?? PKCS11Error(hangOf: path, in: "another call", for: limit)
    }

    /// Runs something on the module's thread when its turn comes, and waits for nothing.
    func later(_ body: @escaping @Sendable (PKCS11Module) -> Void) {
        worker.run {
            if let module = self.module.withLock({ $0 }) { body(module) }
        }
    }

    private func loaded() throws(PKCS11Error) -> PKCS11Module {
        if let module = module.withLock({ $0 }) { return module }
        let loaded = try PKCS11Module(path: path, activity: activity)
        module.withLock { $0 = loaded }
        return loaded
    }
}

/// Which of a module's functions is being called, and since when.
final class PKCS11Activity: Sendable {
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

    /// Returns the error for the current call, if it has taken longer than a limit.
    func hang(longerThan limit: Duration) -> PKCS11Error? {
        guard let (function, start) = current.withLock({ $0 }) else { return nil }
        let duration = start.duration(to: .now)
        return duration >= limit ? PKCS11Error(hangOf: module, in: function, for: duration) : nil
    }
}
