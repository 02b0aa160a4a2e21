package import StrictCoding

/// One value of the YAML file, with the way to it and the list that its problems go to.
///
/// Types are strict: only `true` and `false` are Boolean, only decimal numbers are numbers, and text that some YAML
/// parsers read as another type (`yes`, `012`, `12:30:45`, `2026-01-31`, `~`) must be quoted.
package struct ConfigurationValue {
    let node: YAMLNode
    let path: String
    let problems: ConfigurationProblems

    /// Creates a value of the file.
    ///
    /// Its line is that of its key in the mapping, because a block begins on the next line.
    init(node: YAMLNode, path: String, key: YAMLNode? = nil, problems: ConfigurationProblems) {
        self.node = node
        self.path = path
        self.problems = problems
        problems.note(path, line: (key ?? node).line)
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
        guard case .scalar(let text, let type) = node.content else { return nil }
        switch type {
        case .text: return .text(text)
        case .integer:
            // Also a sign, an octal number or one with underscores would be an integer.
            guard let integer = Int64(text), String(integer) == text else { return nil }
            return .integer(integer)
        case .bool: return Bool(text).map { .bool($0) }
        case .timestamp, .other: return nil
        }
    }

    /// Text in which nothing looks like a variable.
    package func text() -> String? {
        guard let text = anyText() else { return nil }
        guard text.utf8.firstRange(of: "${".utf8) == nil else {
            report(
                "has ${…}, which is not replaced: this file reads no environment variables. Write the value itself, or the path of a file that holds it."
            )
            return nil
        }
        return text
    }

    func anyText() -> String? {
        guard case .text(let text)? = scalar, !text.utf8.isEmpty else {
            report("must be text; quote numbers, dates and words such as yes.")
            return nil
        }
        return text
    }

    /// The path of a file; a relative one is resolved against the configuration's folder.
    func file() -> String? {
        text().map { resolved($0) }
    }

    /// A path, resolved against the configuration's folder where it is relative.
    func resolved(_ file: String) -> String { problems.resolve(file, of: path) }

    func bool() -> Bool? {
        guard case .bool(let bool)? = scalar else {
            report("must be true or false.")
            return nil
        }
        return bool
    }

    func integer(_ range: ClosedRange<Int64>) -> Int64? {
        guard case .integer(let integer)? = scalar, range.contains(integer) else {
            let message =
                range.count == 1
                ? "must be \(range.lowerBound)."
                : "must be an integer from \(range.lowerBound) to \(range.upperBound)."
            report(message + integerAdvice(range))
            return nil
        }
        return integer
    }

    /// Returns ` Write 600.` for a text such as `600/min` or `"600"`.
    private func integerAdvice(_ range: ClosedRange<Int64>) -> String {
        guard case .text(let text)? = scalar else { return "" }
        let digits = String(decoding: text.utf8.prefix { $0.isASCIIDigit }, as: UTF8.self)
        guard let number = Int64(digits), range.contains(number) else { return "" }
        return digits.utf8.count == text.utf8.count
            ? " Write \(number), without quotes." : " Write \(number), without a unit."
    }

    func claimValue() -> JSONValue? {
        switch scalar {
        case .text(let text)?: return .string(text)
        case .integer(let integer)?: return .integer(integer)
        case .bool(let bool)?: return .bool(bool)
        case nil:
            report("must be text, an integer, true or false; quote anything else.")
            return nil
        }
    }

    /// Returns a mapping as JSON, for expected claims.
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
        // Missing values have already been reported.
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

    /// Returns one of the allowed names.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> Choice? {
        guard let text = text() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue)
            let whole = text.utf8.count < 3 ? nil : names.first { $0 != text && $0.utf8.starts(with: text.utf8) }
            let question = whole.map { " Did you mean \($0)?" } ?? ""
            report("must be one of \(names.joined(separator: ", ")).\(question)")
            return nil
        }
        return choice
    }

    var isList: Bool { if case .list = node.content { true } else { false } }
    var isMapping: Bool { if case .mapping = node.content { true } else { false } }

    /// The name in `{claims.NAME}` without quotes, which is a mapping with one key and no value.
    var claimWithoutQuotes: String? {
        guard case .mapping(let mapping) = node.content, mapping.count == 1, let entry = mapping.first,
            let name = entry.key.text, name.utf8.starts(with: "claims.".utf8), entry.value.text?.utf8.isEmpty ?? false
        else { return nil }
        return name
    }

    /// Returns the elements of a list; invalid elements are reported when they are read.
    func list() -> [ConfigurationValue] {
        guard case .list(let elements) = node.content else {
            report("must be a list.")
            return []
        }
        return elements.enumerated().map { index, node in
            ConfigurationValue(node: node, path: "\(path)[\(index)]", problems: problems)
        }
    }

    /// Returns the elements of a non-empty list.
    package func nonEmptyList() -> [ConfigurationValue] {
        let elements = list()
        if isList, elements.isEmpty { report("must not be empty.") }
        return elements
    }

    /// Returns the elements of a non-empty list of texts.
    package func texts() -> [String] { nonEmptyList().compactMap { $0.text() } }

    /// Returns the elements of a list of distinct texts.
    func distinctTexts() -> [String] {
        var known: Set<[UInt8]> = []
        return list().compactMap { value in
            guard let text = value.text() else { return nil }
            guard known.insert(Array(text.utf8)).inserted else {
                value.report("is a duplicate; remove one.")
                return nil
            }
            return text
        }
    }

    /// Returns the entries of a mapping with arbitrary names as keys.
    func entries() -> [(name: String, value: ConfigurationValue)] {
        guard case .mapping(let mapping) = node.content else {
            report("must be a mapping.")
            return []
        }
        var lines: [[UInt8]: Int] = [:]
        return mapping.compactMap { key, node in
            guard let name = key.text, !name.utf8.isEmpty else {
                report("has a key that is not a string.")
                return nil
            }
            let value = ConfigurationValue(node: node, path: join(name), key: key, problems: problems)
            // To YAML, 1 and "1" are two keys.
            if let first = lines[Array(name.utf8)] {
                value.report("is a duplicate; the first is in line \(first). Remove one.")
                return nil
            }
            lines[Array(name.utf8)] = key.line
            return (name, value)
        }
    }

    /// Returns the entries of a non-empty mapping whose keys are names for grants, logs and metrics.
    func namedEntries() -> [(name: String, value: ConfigurationValue)] {
        let entries = entries()
        if isMapping, entries.isEmpty, !problems.isReload { report("must not be empty.") }
        for (name, value) in entries where !Self.isName(name) {
            value.report("is not a valid name: use 1 to 64 letters, digits, - and _.")
        }
        return entries
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Reads a mapping with known keys, then reports unknown ones.
    package func section<Result>(_ body: (ConfigurationSection) -> Result?) -> Result? {
        guard isMapping else {
            if case .text(let text)? = scalar, YAMLMessage.hasTightColon(text[...]) {
                problems.report(line: node.line, "\(path): A space is missing after the colon of a key.")
            } else {
                report("must be a mapping.")
            }
            return nil
        }
        let section = ConfigurationSection(self)
        defer { section.reportUnknown() }
        return body(section)
    }

    func join(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
