import CoreMetrics

/// A metric with one label whose values are names in the configuration, and others whose values are known when the
/// program is written.
struct NamedMetricTable<Instrument: AnyObject & Sendable, Labels: MetricLabels>: Sendable {
    private let tables: [String: MetricTable<Instrument, Labels>]

    /// The instruments of a name; nil for one that is not in the configuration.
    subscript(name: String) -> MetricTable<Instrument, Labels>? { tables[name] }
}

extension NamedMetricTable where Instrument == Counter {
    /// Declares a counter in a registry.
    init(counter metric: String, help: String, label: String, names: Set<String>, in registry: PrometheusRegistry) {
        registry.declare(metric, .counter, help: help, capacity: Labels.count * names.count)
        let factory = PrometheusMetricsFactory(registry: registry)
        tables = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let table = MetricTable<Counter, Labels> { dimensions in
                    Counter(label: metric, dimensions: [(label, name)] + dimensions, factory: factory)
                }
                return (name, table)
            }
        )
    }
}
