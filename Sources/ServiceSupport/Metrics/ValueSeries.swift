import Metrics
import Synchronization

/// A number that is set, or that grows by fractions.
final class ValueSeries: PrometheusSeries, FloatingPointCounterHandler, MeterHandler {
    private let value = Mutex(0.0)

    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func set(_ value: Int64) { set(Double(value)) }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func reset() { set(0.0) }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels: labels, PrometheusPage.number(value.withLock { $0 }))
    }
}
