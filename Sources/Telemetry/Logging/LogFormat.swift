/// The format of the log.
enum LogFormat: String, CaseIterable, Sendable {
    /// For machines: one JSON object a line.
    case json
    /// For people.
    case console

    /// Creates the format that suits the destination, unless one is requested.
    init(isTerminal: Bool) {
        self = isTerminal ? .console : .json
    }
}
