import CoreMetrics
import Synchronization

/// A value that goes up and down.
final class PrometheusGauge: MeterHandler, RecorderHandler, Sendable {
    private let value = Atomic<Double>(0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }

    func increment(by amount: Double) { value.add(amount) }
    func decrement(by amount: Double) { value.add(-amount) }

    /// What a `Gauge` calls: the last value counts.
    func record(_ value: Int64) { set(value) }
    /// What a `Gauge` calls: the last value counts.
    func record(_ value: Double) { set(value) }
}

extension PrometheusGauge: PrometheusSeries {
    var sampleCount: Int { 1 }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        page.sample(name, labels, value.load(ordering: .relaxed))
    }
}
