import CoreMetrics
import Synchronization

/// One instrument for each combination of a metric's labels, made when it is first asked for.
///
/// To get one takes no lock and, but for the first time, allocates nothing.
struct MetricTable<Instrument: AnyObject & Sendable, Labels: MetricLabels>: Sendable {
    private let cells: [Cell]
    private let make: @Sendable (_ dimensions: [(String, String)]) -> Instrument

    /// The instrument with these labels.
    subscript(labels: Labels) -> Instrument {
        let cell = cells[labels.index]
        return cell.instrument.load() ?? cell.instrument.storeIfNil(make(labels.dimensions))
    }

    /// Instruments that are made in some way; who makes them declares them.
    init(make: @escaping @Sendable (_ dimensions: [(String, String)]) -> Instrument) {
        self.make = make
        cells = (0..<Labels.count).map { _ in Cell() }
    }

    private final class Cell: Sendable {
        let instrument = AtomicLazyReference<Instrument>()
    }
}

extension MetricTable {
    /// The instrument with these labels.
    subscript<A, B>(a: A, b: B) -> Instrument where Labels == LabelPair<A, B> {
        self[LabelPair(first: a, second: b)]
    }

    /// The instrument with these labels.
    subscript<A, B, C>(a: A, b: B, c: C) -> Instrument where Labels == LabelPair<LabelPair<A, B>, C> {
        self[LabelPair(first: LabelPair(first: a, second: b), second: c)]
    }
}

extension MetricTable where Instrument == Counter {
    /// Declares a counter in a registry.
    init(counter name: String, help: String, in registry: PrometheusRegistry) {
        let factory = PrometheusMetricsFactory(registry: registry)
        self.init { Counter(label: name, dimensions: $0, factory: factory) }
        registry.declare(name, .counter, help: help, capacity: Labels.count)
    }
}

extension MetricTable where Instrument == Timer {
    /// Declares a histogram of durations in a registry.
    init(timer name: String, help: String, in registry: PrometheusRegistry) {
        let factory = PrometheusMetricsFactory(registry: registry)
        self.init { Timer(label: name, dimensions: $0, factory: factory) }
        registry.declare(name, .timer, help: help, capacity: Labels.count)
    }
}
