import Telemetry

/// The result of a reload.
enum ReloadResultLabel: String, MetricLabel {
    /// The new configuration serves.
    case loaded
    /// The last good configuration keeps serving.
    case failed

    static let labelName = "result"
}
