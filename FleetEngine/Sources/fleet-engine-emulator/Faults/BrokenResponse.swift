/// How a response breaks on its way.
enum BrokenResponse: Sendable {
    /// The connection is closed after the head of the response.
    case reset
    /// The connection is closed in the middle of the response.
    case truncated
}
