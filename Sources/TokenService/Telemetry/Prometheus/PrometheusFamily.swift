/// A metric: what its time series have in common, and the series themselves.
struct PrometheusFamily {
    let kind: PrometheusKind
    let help: String
    /// How many combinations of labels a declared metric has; nil for one that nobody declared.
    let capacity: Int?
    private(set) var series: [PrometheusLabels: any PrometheusSeries] = [:]

    init(_ kind: PrometheusKind, help: String, capacity: Int?) {
        self.kind = kind
        self.help = help
        self.capacity = capacity
    }

    mutating func insert(_ new: some PrometheusSeries, _ labels: PrometheusLabels) {
        series[labels] = new
    }

    mutating func removeAll() {
        series = [:]
    }

    func append(to page: inout PrometheusPage, name: String) {
        guard !series.isEmpty else { return }
        page.header(name, help: help, type: kind.type)
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            series.append(to: &page, name: name, labels: labels)
        }
    }
}
