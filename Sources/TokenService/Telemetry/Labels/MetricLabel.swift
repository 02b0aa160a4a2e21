/// A label whose values are all known when the program is written: no ID, path or text of a caller's can be one.
protocol MetricLabel: MetricLabels, CaseIterable, Equatable where AllCases == [Self] {
    /// The label's name.
    static var labelName: String { get }
    /// The value as Prometheus sees it.
    var labelValue: String { get }
}

extension MetricLabel {
    static var count: Int { allCases.count }
    /// There is always one: `allCases` has every value.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    var dimensions: [(String, String)] { [(Self.labelName, labelValue)] }
}

extension MetricLabel where Self: RawRepresentable<String> {
    var labelValue: String { rawValue }
}
