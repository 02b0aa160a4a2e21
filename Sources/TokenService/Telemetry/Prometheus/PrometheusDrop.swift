/// Why a time series is not kept.
enum PrometheusDrop: String, Error, CaseIterable {
    /// There are too many.
    case limit
    /// The name is another metric's, which is of another kind.
    case conflict
    /// The name or the labels are nothing that Prometheus takes.
    case invalid
}
