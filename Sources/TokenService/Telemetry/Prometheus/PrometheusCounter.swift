import CoreMetrics
import Synchronization

/// A value that only grows, in whole steps or in fractions.
final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler, Sendable {
    private let whole = Atomic<UInt64>(0)
    private let fractional = Atomic<Double>(0)

    /// Adds one.
    func increment() {
        whole.wrappingAdd(1, ordering: .relaxed)
    }

    /// Adds a whole number; one that is not positive is ignored, since a counter never falls.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        whole.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// Adds a finite number; one that is not positive is ignored.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        fractional.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fractional.store(0, ordering: .relaxed)
    }

    /// The whole part, exact to 64 bits.
    var count: UInt64 { whole.load(ordering: .relaxed) }
}

extension PrometheusCounter: PrometheusSeries {
    var sampleCount: Int { 1 }

    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels) {
        let fraction = fractional.load(ordering: .relaxed)
        if fraction == 0 {
            page.sample(name, labels, integer: count)
        } else {
            page.sample(name, labels, Double(count) + fraction)
        }
    }
}

extension Atomic where Value == Double {
    /// Adds without a lock: repeated until no other thread came in between.
    func add(_ amount: Double) {
        var old = load(ordering: .relaxed)
        while true {
            let (exchanged, current) = weakCompareExchange(expected: old, desired: old + amount, ordering: .relaxed)
            if exchanged { return }
            old = current
        }
    }
}
