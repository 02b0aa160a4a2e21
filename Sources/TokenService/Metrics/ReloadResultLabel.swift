import ServiceSupport

enum ReloadResultLabel: String, MetricLabel {
    /// The new configuration serves.
    case loaded
    /// The last good configuration keeps serving.
    case failed

    static let labelName = "result"
}
