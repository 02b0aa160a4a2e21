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
