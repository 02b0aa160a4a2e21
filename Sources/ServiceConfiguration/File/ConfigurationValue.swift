package import StrictCoding
import Yams

/// One value of the YAML file, with the way to it and the list that its problems go to.
///
/// Types are strict: only `true` and `false` are Boolean, only decimal numbers are numbers, and text that some reader of
/// YAML takes for something else (`yes`, `012`, `12:30:45`, `2026-01-31`, `~`) is text in quotes only.
package struct ConfigurationValue {
    let node: Node
    let path: String
    let problems: ConfigurationProblems

    /// A value of the file; its line is that of the mapping's key that it belongs to, since a block begins on the line after.
    init(node: Node, path: String, key: Node? = nil, problems: ConfigurationProblems) {
        self.node = node
        self.path = path
        self.problems = problems
        problems.note(path, line: (key ?? node).mark?.line)
    }

    /// Adds a problem with this value.
    package func report(_ message: String) {
        problems.report(path, message)
    }

    /// The scalars that have one meaning only.
    private enum Scalar {
        case text(String)
        case integer(Int64)
        case bool(Bool)
    }

    private var scalar: Scalar? {
        guard let text = node.scalar?.string else { return nil }
        switch node.tag {
        case Tag(.str): return .text(text)
        case Tag(.int):
            // Also a sign, an octal number or one with underscores would be an integer.
            guard let integer = Int64(text), String(integer) == text else { return nil }
            return .integer(integer)
        case Tag(.bool): return Bool(text).map { .bool($0) }
        default: return nil
        }
    }

    package func text() -> String? {
        guard case .text(let text)? = scalar, !text.utf8.isEmpty else {
            report("must be text; put numbers, dates and words such as yes in quotes.")
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
        case nil:
            report("must be text, a whole number, true or false; put anything else in quotes.")
            return nil
        }
    }

    /// A mapping as JSON, for claims that are tried out.
    package func object() -> JSONObject? {
        guard isMapping else {
            report("must be a mapping.")
            return nil
        }
        let entries = entries()
        var object = JSONObject()
        for (name, value) in entries {
            guard let value = value.json() else { continue }
            _ = object.append(.init(name, value))
        }
        // Whatever is missing has been reported.
        return object.members.count == entries.count ? object : nil
    }

    private func json() -> JSONValue? {
        if isList {
            let elements = list()
            let values = elements.compactMap { $0.json() }
            return values.count == elements.count ? .array(values) : nil
        }
        return isMapping ? object().map { .object($0) } : claimValue()
    }

    /// One of a list of names.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> Choice? {
        guard let text = text() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            report("must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
            return nil
        }
        return choice
    }

    var isList: Bool { sequence != nil }
    var isMapping: Bool { mapping != nil }

    // A tag would make another type of it, such as a set.
    private var sequence: Node.Sequence? { node.tag == Tag(.seq) ? node.sequence : nil }
    private var mapping: Node.Mapping? { node.tag == Tag(.map) ? node.mapping : nil }

    /// The elements of a list; each bad one is reported by whoever reads it.
    func list() -> [ConfigurationValue] {
        guard let sequence else {
            report("must be a list.")
            return []
        }
        return sequence.enumerated().map { index, node in
            ConfigurationValue(node: node, path: "\(path)[\(index)]", problems: problems)
        }
    }

    /// The elements of a list that must have some.
    package func nonEmptyList() -> [ConfigurationValue] {
        let elements = list()
        if isList, elements.isEmpty { report("must not be empty.") }
        return elements
    }

    /// The elements of a list of texts that must have some.
    package func texts() -> [String] { nonEmptyList().compactMap { $0.text() } }

    /// The elements of a list of texts of which no two are the same.
    func distinctTexts() -> [String] {
        var known: Set<[UInt8]> = []
        return list().compactMap { value in
            guard let text = value.text() else { return nil }
            guard known.insert(Array(text.utf8)).inserted else {
                value.report("is there twice; keep one.")
                return nil
            }
            return text
        }
    }

    /// A mapping whose keys are names of the operator's choice.
    func entries() -> [(name: String, value: ConfigurationValue)] {
        guard let mapping else {
            report("must be a mapping.")
            return []
        }
        var names: Set<[UInt8]> = []
        return mapping.compactMap { key, node in
            guard let name = key.scalar?.string, !name.utf8.isEmpty else {
                report("has a key that is not a name.")
                return nil
            }
            let value = ConfigurationValue(node: node, path: join(name), key: key, problems: problems)
            // To YAML, 1 and "1" are two keys.
            guard names.insert(Array(name.utf8)).inserted else {
                value.report("is there twice; keep one.")
                return nil
            }
            return (name, value)
        }
    }

    /// A mapping whose keys are names that grants, logs and metrics use, and that must have some.
    func namedEntries() -> [(name: String, value: ConfigurationValue)] {
        let entries = entries()
        if isMapping, entries.isEmpty { report("must not be empty.") }
        for (name, value) in entries where !Self.isName(name) {
            value.report("is no name: 1 to 64 letters, digits, - and _.")
        }
        return entries
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Reads a mapping whose keys are known; afterwards those that nobody asked for are reported.
    package func section<Result>(_ body: (ConfigurationSection) -> Result?) -> Result? {
        guard isMapping else {
            report("must be a mapping.")
            return nil
        }
        let section = ConfigurationSection(self)
        defer { section.reportUnknown() }
        return body(section)
    }

    func join(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
