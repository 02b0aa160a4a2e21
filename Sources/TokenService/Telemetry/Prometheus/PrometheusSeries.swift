/// What a metric holds for one combination of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    /// How many time series Prometheus makes of it.
    var sampleCount: Int { get }

    /// Writes its samples as they are now.
    func append(to page: inout PrometheusPage, name: String, labels: PrometheusLabels)
}
