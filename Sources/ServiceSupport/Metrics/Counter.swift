import Synchronization

/// A number that only grows.
package final class Counter: PrometheusSeries {
    package static let type = "counter"

    private let value = Atomic<UInt64>(0)

    package init() {}

    /// Adds a number; values that are not positive are ignored, because a counter never decreases.
    package func increment(by amount: Int = 1) {
        guard amount > 0 else { return }
        value.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// The number, exact to 64 bits.
    package var count: UInt64 { value.load(ordering: .relaxed) }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, "\(count)")
    }
}

/// A value that goes up and down.
package final class Gauge: PrometheusSeries {
    package static let type = "gauge"

    private let value = Atomic<Double>(0)

    package init() {}

    package func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, PrometheusPage.number(value.load(ordering: .relaxed)))
    }
}

/// How often a value fell into each of a fixed set of ranges, and the sum of all values.
package final class Histogram: PrometheusSeries {
    package static let type = "histogram"

    /// The upper bounds of durations in seconds, inclusive: from a reused response to an upstream that hangs.
    package static let seconds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// The upper bounds of numbers of things, inclusive.
    package static let sizes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

    private let bounds: [Double]
    /// How many of the whole numbers that are recorded make one of the units of the bounds.
    private let scale: Double
    private let thresholds: [Int64]
    /// One counter per range and one for values above the last; they do not overlap.
    private let counts: [Counter]
    /// In whole numbers, so that it is exact.
    private let sum = Atomic<Int64>(0)

    /// A histogram of durations.
    package convenience init() { self.init(bounds: Self.seconds, scale: 1e9) }

    package init(bounds: [Double], scale: Double = 1) {
        self.bounds = bounds
        self.scale = scale
        thresholds = bounds.map { Int64(($0 * scale).rounded()) }
        counts = (0...bounds.count).map { _ in Counter() }
    }

    /// Records a duration; a negative one, which a clock that was set back makes, counts as none.
    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        record(max(0, seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000))
    }

    /// Records a whole number.
    package func record(_ value: Int64) {
        sum.wrappingAdd(value, ordering: .relaxed)
        counts[thresholds.firstIndex { value <= $0 } ?? thresholds.count].increment()
    }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        var total: UInt64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total &+= count.count
            page.sample("\(name)_bucket", labels: labels.adding(bound: bound), "\(total)")
        }
        let sum = PrometheusPage.number(Double(sum.load(ordering: .relaxed)) / scale)
        page.sample("\(name)_sum", labels: labels, sum)
        // The total of the displayed buckets, so that `_count` and the last bucket are always equal.
        page.sample("\(name)_count", labels: labels, "\(total)")
    }
}
