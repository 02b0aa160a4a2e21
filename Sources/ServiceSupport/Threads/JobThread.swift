import Dispatch
import Synchronization

/// A thread of its own for calls that may block, such as writes to a disk or a pipe.
///
/// Jobs run in order, one at a time, and submitting a job never blocks. The thread starts with the first job. If the
/// system cannot create a thread, jobs wait, and each new job tries again.
package final class JobThread: Sendable {
    /// A unit of work.
    package typealias Job = @Sendable () -> Void

    /// A job in the array: by itself, a function in an array is wrapped in another one, which allocates.
    private struct Entry {
        let job: Job
    }

    private struct State {
        var jobs: [Entry] = []
        var isStarted = false
        /// Whether the thread waits for `work`.
        var isIdle = false
        var isEnding = false
    }

    /// The state that the thread retains; it may outlive the handle.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let work = DispatchSemaphore(value: 0)

        /// Runs jobs until the handle is released.
        func run() {
            var jobs: [Entry] = []
            while true {
                let isEnding = state.withLock { state in
                    swap(&jobs, &state.jobs)
                    state.isIdle = jobs.isEmpty
                    return state.isEnding
                }
                if jobs.isEmpty {
                    if isEnding { return }
                    work.wait()
                }
                for entry in jobs { entry.job() }
                jobs.removeAll(keepingCapacity: true)
            }
        }
    }

    private let shared = Shared()

    /// Creates a thread that starts with its first job.
    package init() {}

    deinit {
        let isIdle = shared.state.withLock { state in
            state.isEnding = true
            return exchange(&state.isIdle, with: false)
        }
        if isIdle { shared.work.signal() }
    }

    /// Submits a job.
    ///
    /// - Returns: Whether there is a thread for it.
    @discardableResult
    package func run(_ job: @escaping Job) -> Bool {
        let (isIdle, isStarted) = shared.state.withLock { state in
            state.jobs.append(Entry(job: job))
            return (exchange(&state.isIdle, with: false), exchange(&state.isStarted, with: true))
        }
        if isIdle { shared.work.signal() }
        guard !isStarted, !start() else { return true }
        shared.state.withLock { $0.isStarted = false }
        return false
    }

    /// Starts the thread.
    ///
    /// - Returns: Whether the system could create it.
    private func start() -> Bool {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
            guard let attributes = buffer.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
            // Jobs need little stack, and address space may be limited.
            pthread_attr_setstacksize(attributes, 512 * 1024)
            return start(with: attributes)
        }
    }

    private func start(with attributes: UnsafePointer<pthread_attr_t>) -> Bool {
        let shared = Unmanaged.passRetained(shared)
        #if canImport(Glibc)
        var thread: pthread_t = 0
        #else
        var thread: pthread_t?
        #endif
        let result = pthread_create(
            &thread,
            attributes,
            { argument in
                // Optional on some systems, which the type makes equal.
                let argument: UnsafeMutableRawPointer? = argument
                guard let argument else { return nil }
                let shared = Unmanaged<Shared>.fromOpaque(argument).takeRetainedValue()
                shared.run()
                return nil
            },
            shared.toOpaque()
        )
        guard result == 0 else {
            shared.release()
            return false
        }
        return true
    }
}
