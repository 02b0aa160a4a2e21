import Metrics
import Synchronization

/// A number that only grows.
final class CounterSeries: PrometheusSeries, CounterHandler {
    private let value = Atomic<Int64>(0)

    /// Adds a number; values that are not positive are ignored, because a counter never decreases.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        value.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { value.store(0, ordering: .relaxed) }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, "\(value.load(ordering: .relaxed))")
    }
}
