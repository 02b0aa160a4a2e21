/// The values of a metric for one combination of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    init()

    /// Writes its samples as they are now.
    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels)
}
