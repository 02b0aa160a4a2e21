import Dispatch
import NIOCore
import Synchronization

/// A bounded queue of jobs that may block, and the threads that work it off: writes to a disk or a pipe.
///
/// Submitting a job never blocks. Jobs begin in order; with one thread, the default, they also run one at a time. A
/// thread starts when a job finds none idle, and all end when the worker is released and its jobs are done.
package final class Worker: Sendable {
    /// A unit of work.
    package typealias Job = @Sendable () -> Void

    /// A job in the buffer: by itself, a function in a buffer is wrapped in another one, which allocates.
    private struct Entry {
        let job: Job
    }

    private struct State {
        var jobs = CircularBuffer<Entry>()
        /// The threads that exist or are being created.
        var threads = 0
        /// The threads that wait for `work`, and that no job has taken.
        var idle = 0
        var isEnding = false

        /// Takes an idle thread, which the caller must wake, and returns whether there was one.
        mutating func takeIdle() -> Bool {
            guard idle > 0 else { return false }
            idle -= 1
            return true
        }
    }

    /// The state that the threads retain; it may outlive the worker.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let work = DispatchSemaphore(value: 0)

        /// Runs jobs until there are none and the worker is released.
        func run() {
            work.wait()
            while true {
                let (entry, isEnding) = state.withLock { state in
                    let entry = state.jobs.popFirst()
                    if entry == nil, !state.isEnding { state.idle += 1 }
                    return (entry, state.isEnding)
                }
                if let entry {
                    entry.job()
                } else if isEnding {
                    return
                } else {
                    work.wait()
                }
            }
        }
    }

    /// The number of jobs that may run at once.
    private let maximumThreads: Int
    /// The number of jobs that may wait.
    private let maximumJobs: Int
    private let shared: Shared

    package init(threads: Int = 1, maximumJobs: Int = 10_000) {
        maximumThreads = threads
        self.maximumJobs = maximumJobs
        shared = Shared()
    }

    deinit {
        let idle = shared.state.withLock { state in
            state.isEnding = true
            return exchange(&state.idle, with: 0)
        }
        for _ in 0..<idle { shared.work.signal() }
    }

    /// Submits a job.
    ///
    /// - Returns: Whether it will run: not if too many jobs wait, or if there is no thread and the system cannot create
    ///   one. Each new job tries again.
    @discardableResult
    package func run(_ job: @escaping Job) -> Bool {
        // An idle thread is taken at once: two jobs must not count on the same one.
        let (hasIdle, needsThread) = shared.state.withLock { state in
            if state.takeIdle() { return (true, false) }
            guard state.threads < maximumThreads else { return (false, false) }
            state.threads += 1
            return (false, true)
        }
        let isStarted = needsThread && start()
        if needsThread, !isStarted {
            let hasOthers = shared.state.withLock { state in
                state.threads -= 1
                return state.threads > 0
            }
            guard hasOthers else { return false }
        }
        // A new thread waits to be woken, and no other job takes it.
        let hasThread = hasIdle || isStarted
        let (isAccepted, wakes) = shared.state.withLock { state in
            guard state.jobs.count < maximumJobs else {
                if hasThread { state.idle += 1 }
                return (false, false)
            }
            state.jobs.append(Entry(job: job))
            // A thread may have become idle since.
            return (true, hasThread || state.takeIdle())
        }
        if wakes { shared.work.signal() }
        return isAccepted
    }

    /// Starts a thread.
    ///
    /// - Returns: Whether the system could create it.
    private func start() -> Bool {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
            guard let attributes = buffer.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
            // Address space may be limited.
            pthread_attr_setstacksize(attributes, 1024 * 1024)
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
