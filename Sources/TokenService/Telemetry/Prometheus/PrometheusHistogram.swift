import CoreMetrics
import Synchronization

/// How often a value fell into each of a fixed set of ranges, and the sum of all values.
final class PrometheusHistogram: TimerHandler, RecorderHandler, Sendable {
    /// The ranges' upper bounds, as they are shown.
    private let bounds: [Double]
    /// The same as they are recorded.
    private let thresholds: [Double]
    /// How many of the recorded units make one that is shown.
    private let scale: Double
    /// One for each range and one for what is above the last; they don't overlap.
    private let counts: [PrometheusCounter]
    private let wholeSum = Atomic<Int64>(0)
    private let fractionalSum = Atomic<Double>(0)

    private init(bounds: [Double], thresholds: [Double], scale: Double) {
        self.bounds = bounds
        self.thresholds = thresholds
        self.scale = scale
        counts = (0...bounds.count).map { _ in PrometheusCounter() }
    }

    /// A histogram of numbers.
    ///
    /// - Parameter bounds: The ranges' upper bounds, inclusive and ascending.
    convenience init(bounds: [Double]) {
        self.init(bounds: bounds, thresholds: bounds, scale: 1)
    }

    /// A histogram of durations, which counts whole nanoseconds, so that its sum is exact, and shows seconds.
    ///
    /// - Parameter seconds: The ranges' upper bounds, inclusive and ascending.
    convenience init(seconds: [Double]) {
        self.init(bounds: seconds, thresholds: seconds.map { ($0 * 1e9).rounded() }, scale: 1e9)
    }

    /// Records a duration; one below zero, which a clock that was set back makes, counts as none.
    func recordNanoseconds(_ duration: Int64) { record(max(0, duration)) }

    func record(_ value: Int64) {
        wholeSum.wrappingAdd(value, ordering: .relaxed)
        count(Double(value))
    }

    /// Records a finite number; any other would spoil the sum for good and is ignored.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        fractionalSum.add(value)
        count(value)
    }

    private func count(_ value: Double) {
        counts[thresholds.firstIndex { value <= $0 } ?? thresholds.count].increment()
    }
}

extension PrometheusHistogram: PrometheusSeries {
    var sampleCount: Int { counts.count + 2 }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        let sum = Double(wholeSum.load(ordering: .relaxed)) / scale + fractionalSum.load(ordering: .relaxed)
        var total: UInt64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total &+= count.count
            page.sample("\(name)_bucket", labels.adding(bound: bound), integer: total)
        }
        page.sample("\(name)_sum", labels, sum)
        // The total of what was just shown, not another look: `_count` and the last bucket are always the same.
        page.sample("\(name)_count", labels, integer: total)
    }
}
