import Synchronization

/// All metrics of the process, for Prometheus to read.
///
/// The number of time series is bounded by their declarations: labels are values of enums, or names in the
/// configuration, never a caller's input. The lock is taken when a series is created and when the page is written,
/// never for counting.
package final class PrometheusRegistry: Sendable {
    /// The `Content-Type` of what ``render()`` returns.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let families = Mutex<[String: PrometheusFamily]>([:])

    /// Creates a registry without metrics.
    package init() {}

    /// Declares a metric with labels, and returns the factory of its series.
    ///
    /// - Parameters:
    ///   - name: The whole name, by Prometheus's conventions: one prefix, base units, `_total` on counters.
    ///   - help: The help text, in one line.
    /// - Returns: A function that finds the series with the given labels, or creates it.
    package func family<Series: PrometheusSeries>(
        _ name: String,
        help: String
    ) -> @Sendable (_ labels: [(name: String, value: String)]) -> Series {
        families.withLock { families in
            guard families[name] == nil else { return }
            families[name] = PrometheusFamily(type: Series.type, help: help)
        }
        return { labels in
            let labels = PrometheusLabels(labels)
            return self.families.withLock { families in
                if let series = families[name]?.series[labels] as? Series { return series }
                let series = Series()
                families[name]?.series[labels] = series
                return series
            }
        }
    }

    /// Declares a metric without labels.
    package func series<Series: PrometheusSeries>(_ name: String, help: String) -> Series {
        family(name, help: help)([])
    }

    /// Declares a gauge whose series all have the value 1 and change as a whole.
    ///
    /// - Returns: A function that replaces all series.
    package func info(
        _ name: String,
        help: String
    ) -> @Sendable (_ series: [[(name: String, value: String)]]) -> Void {
        let show = gauges(name, help: help)
        return { series in show(series.map { (labels: $0, value: 1.0) }) }
    }

    /// Declares a gauge whose series change as a whole.
    ///
    /// - Returns: A function that replaces all series.
    package func gauges(
        _ name: String,
        help: String
    ) -> @Sendable (_ series: [(labels: [(name: String, value: String)], value: Double)]) -> Void {
        let _: @Sendable ([(name: String, value: String)]) -> Gauge = family(name, help: help)
        return { series in
            let gauges = series.map { labels, value in
                let gauge = Gauge()
                gauge.set(value)
                return (PrometheusLabels(labels), gauge as any PrometheusSeries)
            }
            self.families.withLock { $0[name]?.series = Dictionary(gauges) { first, _ in first } }
        }
    }

    /// Returns all metrics in the text exposition format 0.0.4, sorted by name, each one's series sorted by labels.
    package func render() -> [UInt8] {
        var page = PrometheusPage()
        for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            family.append(to: &page, name: name)
        }
        return page.bytes
    }
}
