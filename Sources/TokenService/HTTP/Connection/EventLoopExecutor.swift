import NIOCore
import Synchronization

/// Runs tasks on an event loop's thread.
///
/// The tasks for requests then run on the thread of their connection's I/O. Otherwise each request and its response would hop
/// threads, which costs more than most of the work between. In return nothing may block the thread for long: signing has its
/// own threads.
final class EventLoopExecutor: TaskExecutor {
    private struct State {
        /// The jobs that wait for the event loop, which is woken once for all of them.
        var waiting: [UnownedJob] = []
        /// An empty array that keeps its memory.
        var spare: [UnownedJob] = []
    }

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    /// Creates an executor for an event loop that never ends, such as those of the process's singleton group.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        if isFirst { eventLoop.execute { self.run() } }
    }

    /// Runs the jobs that were added so far, in their order.
    private func run() {
        var jobs = state.withLock { state in
            let jobs = state.waiting
            state.waiting = state.spare
            state.spare = []
            return jobs
        }
        let executor = asUnownedTaskExecutor()
        for job in jobs { job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: jobs.capacity <= 64)
        state.withLock { $0.spare = jobs }
    }
}
