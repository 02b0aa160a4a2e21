package import ServiceSupport

/// How a trail writes its lines.
package struct AuditWriting: Sendable {
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
    /// Metrics of the trail; nil for none.
    package var metrics: AuditMetrics?
    /// The sink's label in them.
    package var label = AuditSinkLabel.file

    /// Creates the default: lines are written on the calling thread.
    package init() {}
}
