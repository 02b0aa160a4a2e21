package import ServiceSupport

/// How a trail writes its lines.
package struct AuditWriting: Sendable {
    /// The handlers of events.
    package struct Events: Sendable {
        /// Called with the number of lines of a write, and whether it succeeded.
        package var wrote: @Sendable (Int, Bool) -> Void = { _, _ in }
        /// Called with the number of requests whose line was refused or not written in time.
        package var refused: @Sendable (Int) -> Void = { _ in }
        /// Called with whether the trail is stalled.
        package var stalled: @Sendable (Bool) -> Void = { _ in }
        /// Called with the number of lines that were written together in time, and how long the first waited.
        package var written: @Sendable (Int, Duration) -> Void = { _, _ in }

        /// Creates events that are ignored.
        package init() {}
    }

    /// The maximum size of the waiting lines, in bytes: about 50,000 lines, more than connections have streams.
    package var limit = 32 * 1024 * 1024
    /// How long a request waits for its line: longer than a disk in order needs, and no longer than a caller waits.
    package var timeout = Duration.seconds(3)
    /// Runs the writer, never two at a time.
    ///
    /// It returns whether there is a thread for it; without one, the next line or check calls the writer again. The default
    /// runs it on the calling thread.
    package var run: @Sendable (_ writer: @escaping @Sendable () -> Void) -> Bool = { writer in
        writer()
        return true
    }
    /// The time.
    package var clock = ServiceClock.system
    /// The handlers of events.
    package var events = Events()

    /// Creates the default: lines are written on the calling thread.
    package init() {}
}
