import NIOCore

/// Runs tasks on an event loop's thread.
///
/// The tasks for requests then run on the thread of their connection's I/O. Otherwise each request and its response would hop
/// threads, which costs more than most of the work between. In return nothing may block the thread for long: signing has its
/// own threads.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// Creates an executor for an event loop that never ends, such as those of the process's singleton group.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Begins a task, which runs immediately until it first waits.
    func begin(_ operation: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, *) {
            Task.immediate(executorPreference: self, operation: operation)
        } else {
            Task(executorPreference: self, operation: operation)
        }
    }
}
