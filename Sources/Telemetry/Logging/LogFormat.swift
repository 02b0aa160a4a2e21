/// How the log is written.
enum LogFormat: String, CaseIterable, Sendable {
    /// For machines: one JSON object a line.
    case json
    /// For people.
    case console

    /// What suits the place that the log goes to, unless somebody asked for one.
    init(isTerminal: Bool) {
        self = isTerminal ? .console : .json
    }
}
