package import Metrics
import Synchronization

/// Keeps the values of all metrics, and shows them as a page for Prometheus.
///
/// It is the backend of swift-metrics in this process. The same name with the same labels is the same series. The lock is taken
/// when a series is created and when the page is written, never for counting.
package final class PrometheusMetrics: MetricsFactory {
    /// The `Content-Type` of ``page()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A metric: its type, and its series by their labels.
    private struct Family {
        let type: String
        var series: [PrometheusLabels: any PrometheusSeries] = [:]
    }

    private let help: [String: String]
    private let families = Mutex<[String: Family]>([:])

    /// Creates the metrics of a process, with the help text of each by its name.
    package init(help: [String: String] = [:]) {
        self.help = help
    }

    /// The text exposition format 0.0.4 of all metrics, sorted by name, each one's series sorted by labels.
    package func page() -> [UInt8] {
        var page = PrometheusPage()
        for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            guard !family.series.isEmpty else { continue }
            page.header(name, help: help[name], type: family.type)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.append(to: &page, name: name, labels: labels)
            }
        }
        return page.bytes
    }

    private func series<Series: PrometheusSeries>(_ name: String, type: String, labels: [(String, String)]) -> Series {
        let labels = PrometheusLabels(labels)
        return families.withLock { families in
            if let known = families[name]?.series[labels] as? Series { return known }
            let series = Series()
            families[name, default: Family(type: type)].series[labels] = series
            return series
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                families[name]?.series[labels] = nil
            }
        }
    }
}

extension PrometheusMetrics {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let series: CounterSeries = series(label, type: "counter", labels: dimensions)
        return series
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        let series: ValueSeries = series(label, type: "counter", labels: dimensions)
        return series
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let series: ValueSeries = series(label, type: "gauge", labels: dimensions)
        return series
    }

    /// Not supported: a recorder is a gauge or a histogram, which `Meter` and `Timer` say.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        preconditionFailure("\(label) is a recorder. Use a Meter or a Timer.")
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let series: HistogramSeries = series(label, type: "histogram", labels: dimensions)
        return series
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
