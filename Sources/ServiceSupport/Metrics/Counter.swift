import Synchronization

/// A number that only grows.
package final class Counter: Sendable {
    private let value = Atomic<UInt64>(0)

    /// Creates a counter at zero.
    package init() {}

    /// Adds one.
    package func increment() {
        value.wrappingAdd(1, ordering: .relaxed)
    }

    /// Adds a number; values that are not positive are ignored, because a counter never decreases.
    package func increment(by amount: Int) {
        guard amount > 0 else { return }
        value.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// The number, exact to 64 bits.
    package var count: UInt64 { value.load(ordering: .relaxed) }
}

extension Counter: PrometheusSeries {
    package static var type: String { "counter" }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, "\(count)")
    }
}

/// A value that goes up and down.
package final class Gauge: Sendable {
    private let value = Atomic<Double>(0)

    /// Creates a gauge at zero.
    package init() {}

    package func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }

    package func increment() { add(1) }

    package func decrement() { add(-1) }

    private func add(_ amount: Double) {
        var (isAdded, old) = (false, value.load(ordering: .relaxed))
        // Until no other thread came in between.
        while !isAdded {
            (isAdded, old) = value.weakCompareExchange(expected: old, desired: old + amount, ordering: .relaxed)
        }
    }
}

extension Gauge: PrometheusSeries {
    package static var type: String { "gauge" }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, PrometheusPage.number(value.load(ordering: .relaxed)))
    }
}
