/// A label whose values are all known when the program is written: no ID, path or text of a caller's can be one.
package protocol MetricLabel: MetricLabels, CaseIterable, Equatable where AllCases == [Self] {
    /// The label's name.
    static var labelName: String { get }
    /// The value as Prometheus sees it.
    var labelValue: String { get }
}

extension MetricLabel {
    package static var count: Int { allCases.count }

    /// There is always one: `allCases` has every value.
    package var index: Int {
        // Each request counts, and `firstIndex(of:)` would allocate: this code is not specialized for the label.
        Self.allCases.withUnsafeBufferPointer { cases in
            var index = 0
            while index < cases.count - 1, cases[index] != self { index += 1 }
            return index
        }
    }

    package var pairs: [(name: String, value: String)] { [(Self.labelName, labelValue)] }
}

extension MetricLabel where Self: RawRepresentable<String> {
    package var labelValue: String { rawValue }
}

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
