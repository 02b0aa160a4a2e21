/// The state of a task.
public enum TaskState: Int, Sendable, CaseIterable {
    /// No state, or one that this version doesn't know.
    case unknown = 0
    /// The task is not done yet.
    case open = 1
    /// The task is done, or no longer planned.
    case closed = 2
}

extension TaskState: ProtoEnumeration {
    static let protoNames = ["STATE_UNSPECIFIED", "OPEN", "CLOSED"]
}
