/// How a response is broken.
enum BrokenResponse: Sendable {
    /// The connection is closed after the head of the response.
    case reset
    /// The connection is closed in the middle of the response.
    case truncated
}
