import Synchronization

/// A value that goes up and down.
package final class Gauge: Sendable {
    private let value = Atomic<Double>(0)

    /// Creates a gauge at zero.
    package init() {}

    package func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }

    package func increment() { add(1) }

    /// Subtracts one.
    package func decrement() { add(-1) }

    /// Adds without a lock: repeated until no other thread came in between.
    private func add(_ amount: Double) {
        var old = value.load(ordering: .relaxed)
        while true {
            let (exchanged, current) = value.weakCompareExchange(
                expected: old,
                desired: old + amount,
                ordering: .relaxed
            )
            if exchanged { return }
            old = current
        }
    }
}

extension Gauge: PrometheusSeries {
    package static var type: String { "gauge" }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels, value: value.load(ordering: .relaxed))
    }
}

/// A sum of seconds that is kept elsewhere and only grows.
package final class TotalSeconds: Sendable {
    private let value = Gauge()

    /// Creates a sum of nothing.
    package init() {}

    /// Sets the sum.
    package func set(_ seconds: Double) { value.set(seconds) }
}

extension TotalSeconds: PrometheusSeries {
    package static var type: String { "counter" }

    package func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        value.append(to: &page, name: name, labels: labels)
    }
}
