@testable import ServiceSupport
@testable import TokenService

/// Asks the parser what it knows, by writing what it cannot accept.
enum ConfigurationProbe {
    /// A setting as the parser describes it.
    struct Setting: Hashable {
        /// The way to it, with `*` for names of the operator's choice.
        let path: String
        /// Its type as docs/configuration.md has it; nil for text and whatever else has no bounds.
        let type: Kind?
        /// Whether it is a mapping and nothing else.
        let isSection: Bool
    }

    enum Kind: Hashable {
        case integer(String)
        case duration(String)
        case boolean
        case list
        case choices([String])
    }

    /// Everything that the parser takes, with all that is above it.
    static func settings() -> [Setting] { settings(below: []) }

    // A kind, so that `kinds` takes it, and no setting's name.
    private static let name = "driver"

    private static func settings(below path: [String]) -> [Setting] {
        let pattern = path.map { $0 == name ? "*" : $0 }.joined(separator: ".")
        let problems = problems(at: path, "{\(name): []}")
        let inner = (path + [name]).joined(separator: ".")
        let others = problems.filter { $0.setting == path.joined(separator: ".") }.map(\.message)
        var own: [Setting] = []
        var children: [String] = []
        if let known = problems.first(where: { $0.setting == inner && $0.message.contains(" Known settings are ") }) {
            children = list(known.message, after: " Known settings are ")
            let scalars = self.problems(at: path, "\"%\"").map(\.message)
            own = [Setting(path: pattern, type: nil, isSection: scalars.contains { $0.hasPrefix("must be a mapping") })]
        } else if problems.contains(where: { $0.setting == inner }) {
            children = [name]
            own = [Setting(path: pattern, type: nil, isSection: true)]
        } else {
            own = [Setting(path: pattern, type: kind(at: path, others), isSection: false)]
        }
        if path.isEmpty { own = [] }
        return own + children.flatMap { settings(below: path + [$0]) }
    }

    private static func kind(at path: [String], _ messages: [String]) -> Kind? {
        for message in messages {
            if message.hasPrefix("must be an integer from ") {
                let bounds = message.dropFirst("must be an integer from ".count).dropLast()
                return .integer(String(bounds))
            }
            if message.hasPrefix("must be a duration from ") {
                let bounds = message.dropFirst("must be a duration from ".count).prefix { $0 != "," }
                return .duration(String(bounds))
            }
            if message == "must be 1." { return .integer("1") }
            if message.hasPrefix("must be true or false") { return .boolean }
            if message.hasPrefix("must be a list") {
                return choices(at: path, "[\"%\"]") ?? .list
            }
        }
        return choices(at: path, "\"%\"")
    }

    private static func choices(at path: [String], _ value: String) -> Kind? {
        let messages = problems(at: path, value).map(\.message)
        guard let message = messages.first(where: { $0.hasPrefix("must be one of ") }) else { return nil }
        return .choices(list(message, after: "must be one of "))
    }

    private static func list(_ message: String, after words: String) -> [String] {
        guard let range = message.firstRange(of: words) else { return [] }
        return message[range.upperBound...].dropLast().split(separator: ", ").map(String.init)
    }

    /// What the parser says to one value in a file that has nothing else.
    private static func problems(at path: [String], _ value: String) -> [Problem] {
        let yaml = path.reversed().reduce(value) { "{\"\($1)\": \($0)}" }
        return parse(yaml).problems
    }

    /// Reads a file without comparing its parts with each other.
    static func parse(_ yaml: String) -> (configuration: ProductionConfiguration?, problems: [Problem]) {
        let problems = ConfigurationProblems()
        let root = ConfigurationText.parse(Array(yaml.utf8), problems)
        let configuration = root.flatMap { ProductionConfiguration($0) }
        return (configuration, problems.list)
    }
}
