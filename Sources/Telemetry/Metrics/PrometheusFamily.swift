/// The value of a metric for one combination of labels.
package protocol PrometheusSeries: AnyObject, Sendable {
    /// The metric's name on a `TYPE` line.
    static var type: String { get }

    /// Creates a series that has counted nothing.
    init()

    /// Writes its samples as they are now.
    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels)
}

/// A metric: the common part of its time series, and the series.
struct PrometheusFamily {
    let type: String
    let help: String
    var series: [PrometheusLabels: any PrometheusSeries] = [:]

    func append(to page: inout PrometheusPage, name: String) {
        guard !series.isEmpty else { return }
        page.header(name, help: help, type: type)
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            series.append(to: &page, name: name, labels: labels)
        }
    }
}
