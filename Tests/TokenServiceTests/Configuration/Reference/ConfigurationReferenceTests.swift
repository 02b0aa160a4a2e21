import FleetToken
import Testing

@testable import ServiceSupport
@testable import TokenService

struct ConfigurationReferenceTests {
    private let rows: [ConfigurationReference.Row]

    init() throws {
        rows = try ConfigurationReference().rows
        // A table in another form would be read as none.
        try #require(rows.count > 30)
    }

    @Test
    func `It has exactly the settings that the parser knows, each once`() {
        var known: [String: Set<String>] = [:]
        for row in rows {
            let names = row.path.split(separator: ".").map(String.init)
            for (index, name) in names.enumerated() {
                known[names.prefix(index).joined(separator: "."), default: []].insert(name)
            }
        }
        #expect(Set(rows.map(\.path)).count == rows.count)
        // Where the operator chooses the names, the parser knows none.
        for (parent, names) in known where names != ["*"] {
            let messages = Self.messages(at: parent.isEmpty ? "unknown" : "\(parent).unknown", "1")
            let list = messages.first?.split(separator: "Known settings are ").last?.dropLast().split(separator: ", ")
            #expect(Set((list ?? []).map(String.init)) == names, "\(parent)")
        }
    }

    @Test
    func `It has the types and bounds`() {
        for row in rows {
            let mistakes: [(value: String, message: String)] =
                switch row.type.split(separator: " ").first {
                case "integer," where row.type == "integer, 1": [("[]", "must be 1.")]
                case "integer,": [("[]", "must be an integer from \(row.type.dropFirst("integer, ".count)).")]
                case "duration,": [("[]", "must be a duration from \(row.type.dropFirst("duration, ".count)),")]
                case "Boolean": [("[]", "must be true or false")]
                case "list" where row.codes.isEmpty: [("{a: 1}", "must be a list")]
                case "list": [("{a: 1}", "must be a list"), ("['%']", "must be one of \(row.choices).")]
                case _ where row.isChoice: [("'%'", "must be one of \(row.choices).")]
                default: []
                }
            for (value, message) in mistakes {
                #expect(
                    Self.messages(at: row.path, value).contains { $0.hasPrefix(message) },
                    "\(row.path): \(message)"
                )
            }
            if mistakes.isEmpty {
                let others = ["must be an integer", "must be a duration", "must be true or false", "must be a list"]
                let messages = Self.messages(at: row.path, "{a: []}")
                #expect(!messages.contains { message in others.contains { message.hasPrefix($0) } }, "\(row.path)")
            }
        }
    }

    @Test
    func `Its examples are accepted, and its defaults are those of the parser`() {
        let draft = ConfigurationDraft()
        for row in rows {
            let others = rows.filter { $0.isAlternative && $0.parent == row.parent }.map(\.path)
            let isRight = draft.places(of: row.path).contains { place in
                let draft = row.isAlternative ? draft.without(others, at: place) : draft
                let example = Self.parse(draft.with(row.example, at: place))
                let without = Self.parse(draft.with(nil, at: place))
                guard example.problems.isEmpty, without.problems.isEmpty != row.isRequired else { return false }
                guard let standard = ConfigurationReference.code(row.standard) else {
                    return row.isRequired || row.standard == "none"
                }
                let same = Self.parse(draft.with(standard, at: place))
                return same.problems.isEmpty && isSame(same.configuration, without.configuration)
                    && !isSame(example.configuration, without.configuration)
            }
            #expect(isRight, "\(row.path): its example is refused, or its default is another.")
        }
    }

    /// Returns what the parser says of a setting in a file that has nothing else.
    private static func messages(at pattern: String, _ value: String) -> [String] {
        // A kind, so that `kinds` takes it, and no setting's name.
        let path = pattern.split(separator: ".").map { $0 == "*" ? "driver" : String($0) }
        let problems = parse(path.reversed().reduce(value) { "{\($1): \($0)}" }).problems
        return problems.filter { $0.setting.hasPrefix(path.joined(separator: ".")) }.map(\.message)
    }

    /// Reads a file without comparing its parts with each other.
    private static func parse(_ yaml: String) -> (configuration: ProductionConfiguration?, problems: [Problem]) {
        let problems = ConfigurationProblems()
        let root = ConfigurationText.parse(Array(yaml.utf8), problems)
        let configuration = root.flatMap { ProductionConfiguration($0) }
        return (configuration, problems.list)
    }

    /// Whether two configurations have the same values: they have no equality of their own.
    private func isSame(_ one: ProductionConfiguration?, _ other: ProductionConfiguration?) -> Bool {
        var texts = ("", "")
        dump(one?.comparable, to: &texts.0)
        dump(other?.comparable, to: &texts.1)
        return texts.0 == texts.1
    }
}

extension ProductionConfiguration {
    /// Everything in it in an order that does not depend on hashing.
    fileprivate var comparable: [Any] {
        var rest = self
        rest.kinds = [:]
        rest.declared = DeclaredNames()
        let kinds = kinds.sorted { $0.key.rawValue < $1.key.rawValue }
        return [kinds.map(\.value), rest]
    }
}
