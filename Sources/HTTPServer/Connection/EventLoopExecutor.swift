import NIOCore

/// Runs tasks on an event loop's thread.
///
/// What answers a connection's requests then runs where its bytes come and go. Elsewhere each request would be handed
/// to another thread and its answer back, which costs more than most of what is in between. In return nothing there may
/// keep the thread for long: signatures have threads of their own.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// An executor for an event loop that never ends, as those of the process's one group.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
