/// What tells a metric's time series apart: one label, or several.
protocol MetricLabels: Sendable {
    /// How many combinations of values there are.
    static var count: Int { get }
    /// Which of them this is, from zero.
    var index: Int { get }
    /// The names and values, as swift-metrics takes them.
    var dimensions: [(String, String)] { get }
}

/// Two labels; three are a pair and one more.
struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    let first: First
    let second: Second

    static var count: Int { First.count * Second.count }
    var index: Int { first.index * Second.count + second.index }
    var dimensions: [(String, String)] { first.dimensions + second.dimensions }
}
