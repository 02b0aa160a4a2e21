/// What a fault does to an answer on its way.
enum Disturbance: String, Sendable {
    /// The connection is closed after the head of the answer.
    case reset
    /// The connection is closed in the middle of the answer.
    case truncate
}
