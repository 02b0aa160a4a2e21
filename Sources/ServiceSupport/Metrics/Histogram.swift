import Synchronization

/// How often a duration fell into each of a fixed set of ranges, and the sum of all durations.
package final class Histogram: Sendable {
    /// The ranges' upper bounds in seconds, inclusive: from a reused response to an upstream that hangs.
    package static let bounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let thresholds = bounds.map { Int64(($0 * 1e9).rounded()) }

    /// One counter per range and one for values above the last; they do not overlap.
    private let counts = (0...Histogram.bounds.count).map { _ in Counter() }
    /// In whole nanoseconds, so that it is exact.
    private let sum = Atomic<Int64>(0)

    /// Creates a histogram of no durations.
    package init() {}

    /// Records a duration; a negative one, which a clock that was set back makes, counts as none.
    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = max(0, seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
        sum.wrappingAdd(nanoseconds, ordering: .relaxed)
        counts[Self.thresholds.firstIndex { nanoseconds <= $0 } ?? Self.thresholds.count].increment()
    }
}

extension Histogram: PrometheusSeries {
    package static var type: String { "histogram" }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.buckets(name, labels, bounds: Self.bounds, counts: counts, sum: Double(sum.load(ordering: .relaxed)) / 1e9)
    }
}

/// How often a number of things fell into each of a fixed set of ranges, and the sum of all numbers.
package final class SizeHistogram: Sendable {
    /// The ranges' upper bounds, inclusive.
    static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

    /// One counter per range and one for values above the last; they do not overlap.
    private let counts = (0...SizeHistogram.bounds.count).map { _ in Counter() }
    private let sum = Counter()

    /// Creates a histogram of no numbers.
    package init() {}

    /// Records a number.
    package func record(_ size: Int) {
        sum.increment(by: size)
        counts[Self.bounds.firstIndex { size <= $0 } ?? Self.bounds.count].increment()
    }
}

extension SizeHistogram: PrometheusSeries {
    package static var type: String { Histogram.type }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.buckets(name, labels, bounds: Self.bounds.map(Double.init), counts: counts, sum: Double(sum.count))
    }
}

extension PrometheusPage {
    /// Writes a histogram's samples.
    mutating func buckets(
        _ name: String,
        _ labels: PrometheusLabels,
        bounds: [Double],
        counts: [Counter],
        sum: Double
    ) {
        var total: UInt64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total &+= count.count
            sample("\(name)_bucket", labels.adding(bound: bound), integer: total)
        }
        sample("\(name)_sum", labels, value: sum)
        // The total of the displayed buckets, so that `_count` and the last bucket are always equal.
        sample("\(name)_count", labels, integer: total)
    }
}
