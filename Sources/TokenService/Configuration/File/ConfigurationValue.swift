import StrictCoding
import Yams

/// One value of the YAML file, with the way to it and the list that its problems go to.
///
/// Types are strict: only `true` and `false` are Boolean, a number is no text, and nothing is converted.
struct ConfigurationValue {
    let node: Node
    let path: String
    let problems: ConfigurationProblems

    init(node: Node, path: String, problems: ConfigurationProblems) {
        self.node = node
        self.path = path
        self.problems = problems
        problems.note(path, line: node.mark?.line)
    }

    /// Adds a problem with this value.
    func report(_ message: String) {
        problems.report(path, message)
    }

    /// What a scalar is by its look: quotes make it text, and so does everything that isn't one of the rest.
    private enum Scalar {
        case text(String)
        case integer(Int64)
        case bool(Bool)
        case null
    }

    private var scalar: Scalar? {
        guard let scalar = node.scalar else { return nil }
        guard scalar.style == .plain else { return .text(scalar.string) }
        switch scalar.string {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return Int64(scalar.string).map { .integer($0) } ?? .text(scalar.string)
        }
    }

    func text() -> String? {
        guard case .text(let text)? = scalar, !text.utf8.isEmpty else {
            report("must be text; put a number in quotes.")
            return nil
        }
        return text
    }

    func bool() -> Bool? {
        guard case .bool(let bool)? = scalar else {
            report("must be true or false.")
            return nil
        }
        return bool
    }

    func integer(_ range: ClosedRange<Int64>) -> Int64? {
        guard case .integer(let integer)? = scalar, range.contains(integer) else {
            report("must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return integer
    }

    /// A value to compare a claim with.
    func claimValue() -> JSONValue? {
        switch scalar {
        case .text(let text)?: return .string(text)
        case .integer(let integer)?: return .integer(integer)
        case .bool(let bool)?: return .bool(bool)
        case .null?, nil:
            report("must be text, a whole number, true or false.")
            return nil
        }
    }

    /// The value as JSON, for claims that are tried out.
    func json() -> JSONValue? {
        if isList {
            let elements = list()
            let values = elements.compactMap { $0.json() }
            return values.count == elements.count ? .array(values) : nil
        }
        guard isMapping else { return claimValue() }
        var object = JSONObject()
        for (name, value) in entries() {
            guard let value = value.json(), object.append(.init(name, value)) else { return nil }
        }
        return .object(object)
    }

    /// One of a list of names.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> Choice? {
        guard let text = text() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            report("must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
            return nil
        }
        return choice
    }

    var isList: Bool { node.sequence != nil }
    var isMapping: Bool { node.mapping != nil }

    /// The elements of a list; each bad one is reported by whoever reads it.
    func list() -> [ConfigurationValue] {
        guard let sequence = node.sequence else {
            report("must be a list.")
            return []
        }
        return sequence.enumerated().map { index, node in
            ConfigurationValue(node: node, path: "\(path)[\(index)]", problems: problems)
        }
    }

    /// The elements of a list of texts.
    func texts() -> [String] { list().compactMap { $0.text() } }

    /// A mapping whose keys are names of the operator's choice.
    func entries() -> [(name: String, value: ConfigurationValue)] {
        guard let mapping = node.mapping else {
            report("must be a mapping of names.")
            return []
        }
        return mapping.compactMap { key, node in
            guard let name = key.scalar?.string, !name.utf8.isEmpty else {
                report("has a key that is not a name.")
                return nil
            }
            return (name, ConfigurationValue(node: node, path: join(name), problems: problems))
        }
    }

    /// Reads a mapping whose keys are known; afterwards those that nobody asked for are reported.
    func section<Result>(_ body: (ConfigurationSection) -> Result?) -> Result? {
        guard node.mapping != nil else {
            report("must be a mapping.")
            return nil
        }
        let section = ConfigurationSection(self)
        defer { section.reportUnknown() }
        return body(section)
    }

    func join(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
