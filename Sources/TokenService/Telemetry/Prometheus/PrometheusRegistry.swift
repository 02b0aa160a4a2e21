import Synchronization

/// All metrics of the process, for Prometheus to read.
///
/// The number of time series is bounded, so that neither memory nor the page can grow with what callers send: a
/// declared metric has room for its own combinations of labels, and all others share one maximum. What is over the
/// bound is not kept; `fleet_token_metrics_dropped_total` counts it.
///
/// The lock is taken when a series is asked for and when the page is written. Counting takes none.
final class PrometheusRegistry: Sendable {
    /// The `Content-Type` of what ``render()`` returns.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Upper bounds for durations in seconds: from a cached answer to an upstream that hangs.
    static let durationBounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Upper bounds for sizes and other numbers: powers of four up to a mebi.
    static let numberBounds = (0...10).map { Double(1 << ($0 * 2)) }

    private let state: Mutex<PrometheusFamilies>
    private let drops: [PrometheusDrop: PrometheusCounter]

    /// A registry that knows no metric but its own.
    ///
    /// - Parameter maximumSeries: How many time series the metrics that nobody declared may have together. A histogram
    ///   has one for each of its ranges and two more.
    init(maximumSeries: Int = 2_000) {
        state = Mutex(PrometheusFamilies(maximumSeries: maximumSeries))
        drops = Dictionary(uniqueKeysWithValues: PrometheusDrop.allCases.map { ($0, PrometheusCounter()) })
        let name = "fleet_token_metrics_dropped_total"
        declare(name, .counter, help: "Time series asked for and not kept, by reason.", capacity: drops.count)
        for (reason, counter) in drops {
            _ = series(name, [("reason", reason.rawValue)], .counter) { counter }
        }
    }

    /// Declares a metric before its first use.
    ///
    /// - Parameters:
    ///   - name: The whole name, with its suffix.
    ///   - kind: What it is.
    ///   - help: What it tells, in one line.
    ///   - capacity: How many combinations of labels it can have.
    func declare(_ name: String, _ kind: PrometheusKind, help: String, capacity: Int) {
        let isNew = state.withLock { $0.add(name, PrometheusFamily(kind, help: help, capacity: capacity)) }
        if !isNew { drops[.conflict]?.increment() }
    }

    /// Finds the series with these labels, or makes it.
    ///
    /// - Parameters:
    ///   - label: The metric's name as swift-metrics has it; what Prometheus' conventions ask for is added.
    ///   - dimensions: The labels.
    ///   - kind: What the metric is. Each kind goes with one type of series.
    ///   - make: Makes the series.
    /// - Returns: nil if there can't be one, for a reason that was counted.
    func series<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: PrometheusKind,
        make: () -> Series
    ) -> Series? {
        do throws(PrometheusDrop) {
            guard let name = kind.name(for: label), let labels = PrometheusLabels(dimensions) else { throw .invalid }
            return try state.withLock { families throws(PrometheusDrop) in
                try families.series(name, labels, kind, help: "Reported by a library as \(label).", make: make)
            }
        } catch {
            drops[error]?.increment()
            return nil
        }
    }

    /// Gives a declared gauge these series, each with the value 1, and takes all others away.
    ///
    /// - Parameters:
    ///   - name: The whole name.
    ///   - dimensions: Each series' labels.
    func replaceGauges(_ name: String, with dimensions: [[(String, String)]]) {
        let series = dimensions.compactMap { PrometheusLabels($0) }.map { labels in
            let gauge = PrometheusGauge()
            gauge.set(1.0)
            return (labels, gauge)
        }
        state.withLock { $0.replace(name, Dictionary(series) { first, _ in first }) }
    }

    /// All metrics in the text exposition format 0.0.4: in the order of their names, each one's series in the order of
    /// their labels.
    func render() -> [UInt8] {
        var page = PrometheusPage()
        for (name, family) in state.withLock({ $0.byName }).sorted(by: { $0.key < $1.key }) {
            family.append(to: &page, name: name)
        }
        return page.bytes
    }
}
