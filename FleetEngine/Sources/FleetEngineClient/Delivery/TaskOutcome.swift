/// The outcome of a task.
public enum TaskOutcome: Int, Sendable, CaseIterable {
    /// No outcome yet, or one that this version doesn't know.
    case unknown = 0
    /// The task succeeded.
    case succeeded = 1
    /// The task failed.
    case failed = 2
}

extension TaskOutcome: ProtoEnumeration {
    static let protoNames = ["TASK_OUTCOME_UNSPECIFIED", "SUCCEEDED", "FAILED"]
}
