/// The labels that distinguish a metric's time series: one or several.
package protocol MetricLabels: Sendable {
    /// How many combinations of values there are.
    static var count: Int { get }
    /// Which of them this is, from zero.
    var index: Int { get }
    /// The names and values.
    var pairs: [(name: String, value: String)] { get }
}

/// Two labels; three are a pair and one more.
package struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    let first: First
    let second: Second

    package static var count: Int { First.count * Second.count }
    package var index: Int { first.index * Second.count + second.index }
    package var pairs: [(name: String, value: String)] { first.pairs + second.pairs }
}
