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
    package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    package var pairs: [(name: String, value: String)] { [(Self.labelName, labelValue)] }
}

extension MetricLabel where Self: RawRepresentable<String> {
    package var labelValue: String { rawValue }
}
