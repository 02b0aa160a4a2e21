import Telemetry

/// What became of a reload.
enum ReloadResultLabel: String, MetricLabel {
    /// The new serves.
    case loaded
    /// What was loaded before keeps serving.
    case failed

    static let labelName = "result"
}
