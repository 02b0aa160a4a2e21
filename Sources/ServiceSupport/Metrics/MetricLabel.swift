// Public and inlinable, although only this package uses it: code that is not specialized for its labels looks up their
// types each time, which takes longer than counting, and `package` declarations are not specialized in other modules.

/// A label whose values are all known when the program is written: no ID, path or text of a caller's can be one.
public protocol MetricLabel: MetricLabels, CaseIterable, Equatable where AllCases == [Self] {
    static var labelName: String { get }
    /// The value as Prometheus sees it.
    var labelValue: String { get }
}

extension MetricLabel {
    /// The number of values.
    @inlinable public static var count: Int { allCases.count }

    /// The place among all values; there always is one.
    @inlinable public var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The label's name and value.
    public var pairs: [(name: String, value: String)] { [(Self.labelName, labelValue)] }
}

extension MetricLabel where Self: RawRepresentable<String> {
    /// The raw value.
    public var labelValue: String { rawValue }
}

/// The labels that distinguish a metric's time series: one or several.
public protocol MetricLabels: Sendable {
    /// The number of combinations of values.
    static var count: Int { get }
    /// Which of them this is, from zero.
    var index: Int { get }
    /// The names and values.
    var pairs: [(name: String, value: String)] { get }
}

/// Two labels; three are a pair and one more.
public struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    @usableFromInline let first: First
    @usableFromInline let second: Second

    /// Creates a pair of labels.
    @inlinable public init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    /// The number of pairs of values.
    @inlinable public static var count: Int { First.count * Second.count }

    /// The place among all pairs.
    @inlinable public var index: Int { first.index * Second.count + second.index }

    /// The names and values of both.
    public var pairs: [(name: String, value: String)] { first.pairs + second.pairs }
}
