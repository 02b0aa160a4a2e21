import NIOCore
import Synchronization

/// Runs tasks on an event loop's thread.
///
/// The tasks for a connection's requests then run on the thread of its I/O. Otherwise each request and its response
/// would hop threads, which costs more than most of the work between. In return nothing may block the thread for long:
/// signing has its own threads.
final class EventLoopExecutor: TaskExecutor {
    /// The jobs that wait for the event loop, which is woken once for all of them.
    private final class Jobs: Sendable {
        private struct State {
            var executor: UnownedTaskExecutor?
            var waiting: [UnownedJob] = []
            /// An empty array that keeps its memory.
            var spare: [UnownedJob] = []
        }

        private let state = Mutex(State())

        func setExecutor(_ executor: UnownedTaskExecutor) {
            state.withLock { $0.executor = executor }
        }

        /// Adds a job; returns whether it is the only one.
        func add(_ job: UnownedJob) -> Bool {
            state.withLock { state in
                state.waiting.append(job)
                return state.waiting.count == 1
            }
        }

        /// Runs the jobs that were added so far, in their order.
        func run() {
            var (jobs, executor) = state.withLock { state in
                let jobs = state.waiting
                state.waiting = state.spare
                state.spare = []
                return (jobs, state.executor)
            }
            // It is set before the first job is added, and a job's task owns it.
            guard let executor else { return }
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: jobs.capacity <= 64)
            state.withLock { $0.spare = jobs }
        }
    }

    private let eventLoop: any EventLoop
    private let jobs: Jobs
    /// Made once, since the event loop keeps a copy for each execution.
    private let run: @Sendable () -> Void

    /// Creates an executor for an event loop that never ends, such as those of the process's singleton group.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        let jobs = Jobs()
        self.jobs = jobs
        run = { jobs.run() }
        jobs.setExecutor(asUnownedTaskExecutor())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        if jobs.add(UnownedJob(job)) { eventLoop.execute(run) }
    }
}
