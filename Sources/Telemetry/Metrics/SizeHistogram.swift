import Synchronization

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
