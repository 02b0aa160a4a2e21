/// The number of updates of a reporter.
public struct VehicleReporterStatistics: Hashable, Sendable {
    /// Updates that Fleet Engine accepted.
    public internal(set) var succeededUpdates = 0
    /// Updates that failed, apart from those without a field.
    public internal(set) var failedUpdates = 0
    /// Updates without a field.
    public internal(set) var emptyMaskUpdates = 0
}
