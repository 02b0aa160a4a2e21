import Synchronization

/// One instrument for each combination of a metric's labels, created on first use.
///
/// Access takes no lock and, except for the first time, does not allocate.
package struct MetricTable<Instrument: AnyObject & Sendable, Labels: MetricLabels>: Sendable {
    private let cells: [Cell]
    private let make: @Sendable (_ labels: [(name: String, value: String)]) -> Instrument

    /// The instrument with these labels.
    package subscript(labels: Labels) -> Instrument {
        let cell = cells[labels.index]
        return cell.instrument.load() ?? cell.instrument.storeIfNil(make(labels.pairs))
    }

    /// Creates a table with a factory for instruments, which the caller declares.
    package init(make: @escaping @Sendable (_ labels: [(name: String, value: String)]) -> Instrument) {
        self.make = make
        cells = (0..<Labels.count).map { _ in Cell() }
    }

    private final class Cell: Sendable {
        let instrument = AtomicLazyReference<Instrument>()
    }
}

extension MetricTable {
    /// The instrument with these labels.
    package subscript<A, B>(a: A, b: B) -> Instrument where Labels == LabelPair<A, B> {
        self[LabelPair(first: a, second: b)]
    }

    /// The instrument with these labels.
    package subscript<A, B, C>(a: A, b: B, c: C) -> Instrument where Labels == LabelPair<LabelPair<A, B>, C> {
        self[LabelPair(first: LabelPair(first: a, second: b), second: c)]
    }
}

extension MetricTable where Instrument: PrometheusSeries {
    /// Creates a table of a metric and declares it in a registry.
    package init(_ name: String, help: String, in registry: PrometheusRegistry) {
        self.init(make: registry.family(name, help: help))
    }
}
