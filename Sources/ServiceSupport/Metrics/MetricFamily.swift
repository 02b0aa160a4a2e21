package import Metrics
import Synchronization

/// The instruments of one metric: one for each combination of labels, created on its first use.
package final class MetricFamily<Labels: MetricLabels, Instrument: Sendable>: Sendable {
    private let make: @Sendable (_ dimensions: [(String, String)]) -> Instrument
    private let instruments = Mutex<[Labels: Instrument]>([:])

    private init(make: @escaping @Sendable (_ dimensions: [(String, String)]) -> Instrument) {
        self.make = make
    }

    /// The instrument with these labels.
    package subscript(labels: Labels) -> Instrument {
        instruments.withLock { instruments in
            if let known = instruments[labels] { return known }
            let instrument = make(labels.dimensions)
            instruments[labels] = instrument
            return instrument
        }
    }
}

extension MetricFamily where Instrument == Counter {
    package convenience init(_ name: String, factory: any MetricsFactory) {
        self.init { Counter(label: name, dimensions: $0, factory: factory) }
    }
}

extension MetricFamily where Instrument == Timer {
    package convenience init(_ name: String, factory: any MetricsFactory) {
        self.init { Timer(label: name, dimensions: $0, factory: factory) }
    }
}

extension MetricFamily where Instrument == Meter {
    package convenience init(_ name: String, factory: any MetricsFactory) {
        self.init { Meter(label: name, dimensions: $0, factory: factory) }
    }

    /// Sets all values, and removes the series of all other labels.
    package func replace(with values: [Labels: Double]) {
        instruments.withLock { instruments in
            for (labels, meter) in instruments where values[labels] == nil {
                meter.destroy()
                instruments[labels] = nil
            }
        }
        for (labels, value) in values { self[labels].set(value) }
    }
}
