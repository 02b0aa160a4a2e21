package import Metrics
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Metrics of the process, with the names and units of Prometheus's client libraries.
///
/// On systems other than Linux, which have no `/proc`, these metrics are absent.
package final class ProcessMetrics: Sendable {
    private let processor: FloatingPointCounter
    /// The seconds that the counter shows.
    private let counted = Mutex(0.0)
    private let residentMemory: Meter
    private let openDescriptors: Meter
    private let maximumDescriptors: Meter

    /// Creates the metrics of a process that starts now; nil if the system has no `/proc`.
    package init?(factory: any MetricsFactory) {
        guard Self.residentBytes != nil else { return nil }
        processor = FloatingPointCounter(label: "process_cpu_seconds_total", factory: factory)
        residentMemory = Meter(label: "process_resident_memory_bytes", factory: factory)
        openDescriptors = Meter(label: "process_open_fds", factory: factory)
        maximumDescriptors = Meter(label: "process_max_fds", factory: factory)
        let start = ServiceClock.system.date.timeIntervalSince1970
        Meter(label: "process_start_time_seconds", factory: factory).set(start)
        update()
    }

    /// Updates the metrics.
    ///
    /// It takes milliseconds where many descriptors are open: not for an event loop.
    package func update() {
        counted.withLock { counted in
            let total = Self.processorSeconds
            processor.increment(by: total - counted)
            counted = total
        }
        if let bytes = Self.residentBytes { residentMemory.set(bytes) }
        // Without the one that it takes to list them.
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            openDescriptors.set(open.count - 1)
        }
        var limit = rlimit()
        if getrlimit(openFileLimit, &limit) == 0 { maximumDescriptors.set(Double(limit.rlim_cur)) }
    }

    /// The processor time of all threads, in user and in kernel mode.
    ///
    /// POSIX fixes the unit of `clock` at a microsecond (clock(3)).
    private static var processorSeconds: Double { Double(clock()) / 1_000_000 }

    /// The memory that is in RAM: the second number of `/proc/self/statm`, in pages (proc(5)).
    private static var residentBytes: Int? {
        guard let sizes = try? FileContent.read("/proc/self/statm", atMost: 4096) else { return nil }
        let words = sizes.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
