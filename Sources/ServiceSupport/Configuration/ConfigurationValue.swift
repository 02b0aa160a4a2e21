package import FleetToken

/// One value of the YAML file, with its path and the list that its problems go to.
///
/// The setting has a type, and its value is read as that or refused: only `true` and `false` without quotes are Boolean, only
/// decimal numbers without quotes are numbers, and all that is written is text where text is required (`yes`, `012`).
package struct ConfigurationValue {
    let node: YAMLNode
    package let path: String
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

    /// Text in which nothing looks like a variable.
    package func text() -> String? {
        guard let text = node.text, !text.utf8.isEmpty, !Self.nulls.contains(node.plainText ?? "") else {
            report("must be text.")
            return nil
        }
        guard text.utf8.firstRange(of: "${".utf8) == nil else {
            report(
                "has ${…}, which is not replaced: this file reads no environment variables. Write the value itself, or the path of a file that holds it."
            )
            return nil
        }
        return text
    }

    /// Text that is compared with a claim: without white space at its ends, which no issuer writes.
    package func claimText() -> String? {
        guard let text = text() else { return nil }
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !first.properties.isWhitespace, !last.properties.isWhitespace
        else {
            report("begins or ends with white space, so it would match no token. Remove it.")
            return nil
        }
        return text
    }

    private static let nulls: Set<String> = ["~", "null", "Null", "NULL"]

    /// The path of a file; a relative one is resolved against the configuration's folder.
    package func file() -> String? {
        text().map { resolved($0) }
    }

    /// A path, resolved against the configuration's folder where it is relative.
    package func resolved(_ file: String) -> String { problems.resolve(file) }

    package func bool() -> Bool? {
        guard let bool = node.plainText.flatMap(Bool.init) else {
            report("must be true or false.")
            return nil
        }
        return bool
    }

    package func integer(_ range: ClosedRange<Int64>) -> Int64? {
        guard let integer = plainInteger, range.contains(integer) else {
            let message =
                range.count == 1
                ? "must be \(range.lowerBound)."
                : "must be an integer from \(range.lowerBound) to \(range.upperBound)."
            report(message)
            return nil
        }
        return integer
    }

    /// A decimal number: also a sign, an octal number or one with underscores would be an integer to some YAML parsers.
    private var plainInteger: Int64? {
        guard let text = node.plainText, let integer = Int64(text), String(integer) == text else { return nil }
        return integer
    }

    /// A text, an integer or a Boolean.
    ///
    /// Without quotes, what another YAML parser reads as something else, such as `yes`, `012`
    /// or a date, is none of them: it might be meant as that.
    package func claimValue() -> JSONValue? {
        if let integer = plainInteger { return .integer(integer) }
        if let bool = node.plainText.flatMap(Bool.init) { return .bool(bool) }
        guard let text = node.text, node.plainText.map(Self.isClearlyText) ?? true else {
            report("must be text, an integer, true or false; quote anything else.")
            return nil
        }
        return .string(text)
    }

    private static func isClearlyText(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isASCIIDigit, !"+-.~=<".utf8.contains(first) else { return false }
        return !["yes", "no", "on", "off", "true", "false", "null"].contains(
            String(decoding: text.utf8.lowercasedASCII, as: UTF8.self)
        )
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

    package var isList: Bool { if case .list = node.content { true } else { false } }
    package var isMapping: Bool { if case .mapping = node.content { true } else { false } }

    /// The name in `{claims.NAME}` without quotes, which is a mapping with one key and no value.
    package var claimWithoutQuotes: String? {
        guard case .mapping(let mapping) = node.content, mapping.count == 1, let entry = mapping.first,
            let name = entry.key.text, name.utf8.starts(with: "claims.".utf8), entry.value.text?.utf8.isEmpty ?? false
        else { return nil }
        return name
    }

    /// Returns the elements of a list; invalid elements are reported when they are read.
    package func list() -> [ConfigurationValue] {
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
    package func distinctTexts() -> [String] {
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
    package func entries() -> [(name: String, value: ConfigurationValue)] {
        guard case .mapping(let mapping) = node.content else {
            report("must be a mapping.")
            return []
        }
        return mapping.compactMap { key, node in
            guard let name = key.text, !name.utf8.isEmpty else {
                report("has a key that is not a string.")
                return nil
            }
            return (name, ConfigurationValue(node: node, path: join(name), key: key, problems: problems))
        }
    }

    /// Returns the entries of a non-empty mapping whose keys are names for grants, logs and metrics.
    package func namedEntries() -> [(name: String, value: ConfigurationValue)] {
        let entries = entries()
        if isMapping, entries.isEmpty, !problems.isReload { report("must not be empty.") }
        for (name, value) in entries where !Self.isName(name) { value.reportInvalidName() }
        return entries
    }

    /// Returns a name that another section declares, in the form of ``namedEntries()``.
    package func name() -> String? {
        guard let text = text() else { return nil }
        guard Self.isName(text) else {
            reportInvalidName()
            return nil
        }
        return text
    }

    private func reportInvalidName() {
        report("is not a valid name: use 1 to 64 letters, digits, - and _.")
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Reads a mapping with known keys, then reports unknown ones; an example is shown where there is something else.
    package func section<Result>(
        such example: String? = nil,
        _ body: (ConfigurationSection) -> Result?
    ) -> Result? {
        guard isMapping else {
            report("must be a mapping\(example.map { ", such as \($0)" } ?? "").")
            return nil
        }
        let section = ConfigurationSection(self)
        defer { section.reportUnknown() }
        return body(section)
    }

    func join(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
