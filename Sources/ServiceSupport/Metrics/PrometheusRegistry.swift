import Synchronization

/// All metrics of the process, for Prometheus to read.
///
/// The number of time series is bounded by their declarations: labels are values of enums, or names in the
/// configuration, never a caller's input. The lock is taken when a series is created and when the page is written,
/// never for counting.
package final class PrometheusRegistry: Sendable {
    /// The `Content-Type` of what ``render()`` returns.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A metric: the common part of its time series, and the series.
    private struct Family {
        let type: String
        let help: String
        var series: [PrometheusLabels: any PrometheusSeries] = [:]
    }

    private let families = Mutex<[String: Family]>([:])

    package init() {}

    /// Declares a metric with labels, and returns the factory of its series.
    ///
    /// - Parameters:
    ///   - name: The whole name, by Prometheus's conventions: one prefix, base units, `_total` on counters.
    ///   - help: The help text, in one line.
    ///   - type: The type on the page, which differs for a sum that is kept elsewhere.
    /// - Returns: A function that finds the series with the given labels, or creates it.
    package func family<Series: PrometheusSeries>(
        _ name: String,
        help: String,
        type: String = Series.type
    ) -> @Sendable (_ labels: [(name: String, value: String)]) -> Series {
        { labels in
            let labels = PrometheusLabels(labels)
            return self.families.withLock { families in
                if let series = families[name]?.series[labels] as? Series { return series }
                let series = Series()
                families[name, default: Family(type: type, help: help)].series[labels] = series
                return series
            }
        }
    }

    /// Declares a metric without labels.
    package func series<Series: PrometheusSeries>(
        _ name: String,
        help: String,
        type: String = Series.type
    ) -> Series {
        family(name, help: help, type: type)([])
    }

    /// Declares a gauge whose series change as a whole, and returns a function that replaces them.
    package func gauges(
        _ name: String,
        help: String
    ) -> @Sendable (_ series: [(labels: [(name: String, value: String)], value: Double)]) -> Void {
        { series in
            let gauges = series.map { labels, value in
                let gauge = Gauge()
                gauge.set(value)
                return (labels: labels, series: gauge)
            }
            self.add(name, help: help, gauges)
        }
    }

    /// Declares a metric whose series are kept elsewhere.
    package func add<Series: PrometheusSeries>(
        _ name: String,
        help: String,
        _ series: [(labels: [(name: String, value: String)], series: Series)]
    ) {
        let series = series.map { (PrometheusLabels($0.labels), $0.series as any PrometheusSeries) }
        let family = Family(type: Series.type, help: help, series: Dictionary(series) { first, _ in first })
        families.withLock { $0[name] = family }
    }

    /// Returns all metrics in the text exposition format 0.0.4, sorted by name, each one's series sorted by labels.
    package func render() -> [UInt8] {
        var page = PrometheusPage()
        for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            guard !family.series.isEmpty else { continue }
            page.header(name, help: family.help, type: family.type)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.append(to: &page, name: name, labels: labels)
            }
        }
        return page.bytes
    }
}

/// The value of a metric for one combination of labels.
package protocol PrometheusSeries: AnyObject, Sendable {
    /// The metric's name on a `TYPE` line.
    static var type: String { get }

    init()

    /// Writes its samples as they are now.
    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels)
}
