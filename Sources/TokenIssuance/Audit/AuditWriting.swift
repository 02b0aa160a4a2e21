package import ServiceSupport

/// How a trail writes its lines.
package struct AuditWriting: Sendable {
    /// The maximum size of the waiting lines, in bytes: about 50,000 lines, more than connections have streams.
    package var limit = 32 * 1024 * 1024
    /// How long a request waits for its line: longer than a disk in order needs, and no longer than a caller waits.
    package var timeout = Duration.seconds(3)
    /// Runs the writer, never two at a time; the default runs it on the calling thread.
    package var run: @Sendable (_ writer: @escaping @Sendable () -> Void) -> Void = { $0() }
    /// The time.
    package var clock = ServiceClock.system
    /// Metrics of the trail; nil for none.
    package var metrics: AuditMetrics?
    /// Creates the default: lines are written on the calling thread.
    package init() {}
}
