import Metrics
import Synchronization

/// How often a duration fell into each of a fixed set of ranges, and the sum of all.
final class HistogramSeries: PrometheusSeries, TimerHandler {
    /// The upper bounds in seconds, inclusive: from a reused response to an upstream that hangs.
    static let bounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// The bounds in nanoseconds.
    private static let thresholds = bounds.map { Int64(($0 * 1e9).rounded()) }

    private struct Counts {
        /// One for each range and one for values above the last; they do not overlap.
        var ranges = [UInt64](repeating: 0, count: HistogramSeries.bounds.count + 1)
        /// In nanoseconds, so that it is exact.
        var sum: Int64 = 0
    }

    private let counts = Mutex(Counts())

    /// Records a duration; a negative one, which a clock that was set back makes, counts as none.
    func recordNanoseconds(_ duration: Int64) {
        let duration = max(0, duration)
        let range = Self.thresholds.firstIndex { duration <= $0 } ?? Self.thresholds.count
        counts.withLock { counts in
            counts.ranges[range] += 1
            counts.sum &+= duration
        }
    }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        let counts = counts.withLock { $0 }
        var total: UInt64 = 0
        for (bound, count) in zip(Self.bounds + [.infinity], counts.ranges) {
            total &+= count
            page.sample("\(name)_bucket", labels: labels.adding(bound: bound), "\(total)")
        }
        page.sample("\(name)_sum", labels: labels, PrometheusPage.number(Double(counts.sum) / 1e9))
        page.sample("\(name)_count", labels: labels, "\(total)")
    }
}
