package import Metrics

/// Metrics of the process, with the names and units of Prometheus's client libraries.
///
/// On systems other than Linux, which have no `/proc`, these metrics are absent.
package struct ProcessMetrics: Sendable {
    private let processor: MirroredCounter
    private let residentMemory: Meter
    private let openDescriptors: Meter
    private let maximumDescriptors: Meter

    /// Creates the metrics; nil if the system has no `/proc`.
    package init?(factory: any MetricsFactory) {
        guard let now = ProcessStatus.now else { return nil }
        processor = MirroredCounter(FloatingPointCounter(label: "process_cpu_seconds_total", factory: factory))
        residentMemory = Meter(label: "process_resident_memory_bytes", factory: factory)
        openDescriptors = Meter(label: "process_open_fds", factory: factory)
        maximumDescriptors = Meter(label: "process_max_fds", factory: factory)
        Meter(label: "process_start_time_seconds", factory: factory).set(now.startedSeconds + ProcessStatus.bootTime)
        update()
    }

    /// Updates the metrics.
    ///
    /// It takes milliseconds where many descriptors are open: not for an event loop.
    package func update() {
        guard let status = ProcessStatus.now else { return }
        processor.show(status.processorSeconds)
        residentMemory.set(status.residentBytes)
        if let count = ProcessStatus.openDescriptors { openDescriptors.set(count) }
        if let limit = ProcessStatus.openable { maximumDescriptors.set(limit) }
    }
}
