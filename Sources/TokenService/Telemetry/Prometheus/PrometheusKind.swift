/// What a metric is, with what its name must end in.
enum PrometheusKind {
    case counter
    case gauge
    /// Of numbers.
    case histogram
    /// Of durations.
    case timer

    /// Its name on a `TYPE` line.
    var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram, .timer: "histogram"
        }
    }

    /// Makes a metric's name out of swift-metrics' label; nil if there is none.
    func name(for label: String) -> String? {
        guard let name = PrometheusName.sanitize(label) else { return nil }
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    /// All names that a metric called `name` takes: no other may have one of them.
    func names(of name: String) -> [String] {
        switch self {
        case .counter, .gauge: [name]
        case .histogram, .timer: [name, "\(name)_bucket", "\(name)_sum", "\(name)_count"]
        }
    }

    private var suffix: String {
        switch self {
        case .counter: "_total"
        case .timer: "_seconds"
        case .gauge, .histogram: ""
        }
    }
}
