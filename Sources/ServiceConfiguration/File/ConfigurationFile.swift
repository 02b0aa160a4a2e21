/// Parses the YAML file strictly and reports all problems.
package struct ConfigurationFile {
    /// No configuration is near this size: 1 MiB.
    static let maximumSize = 1 << 20

    /// The configuration, if nothing is wrong with it.
    package let configuration: ProductionConfiguration?
    /// The parts that could be read, even if others have problems; nil if none could.
    package let readable: ProductionConfiguration?
    /// All that is wrong.
    package let problems: [ConfigurationProblem]

    /// Creates the result of parsing and checking a file's text.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - path: The file's path. Relative paths in the text are resolved against its folder.
    ///   - isReload: Whether a running service reads the file again: sections may be empty then.
    package init(yaml: [UInt8], path: String = "", isReload: Bool = false) {
        let problems = ConfigurationProblems(folder: Self.folder(of: path), isReload: isReload)
        var configuration: ProductionConfiguration?
        if let root = Self.parse(yaml, problems) {
            configuration = ProductionConfiguration(root)
            configuration?.check(problems)
            configuration?.places = problems.places
            configuration?.isWhole = problems.list.isEmpty
        }
        readable = configuration
        self.configuration = problems.list.isEmpty ? configuration : nil
        self.problems = problems.list
    }

    /// The folder of a file; empty for the working directory.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.utf8.startIndex ? "/." : String(path[..<slash])
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the root of a file's text; nil, with the problems, if there is none.
    package static func parse(_ yaml: [UInt8], _ problems: ConfigurationProblems) -> ConfigurationValue? {
        guard yaml.count <= maximumSize else {
            problems.report("The file is larger than 1 MiB.")
            return nil
        }
        // The parser would treat a byte-order mark as text.
        let yaml = yaml.starts(with: byteOrderMark) ? yaml.dropFirst(byteOrderMark.count) : yaml[...]
        let text = String(decoding: yaml, as: UTF8.self)
        guard text.utf8.elementsEqual(yaml) else {
            problems.report("The file is not UTF-8.")
            return nil
        }
        // The only view of a file's end of line that counts lines as the parser does, and that keeps CR LF together.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if let index = lines.firstIndex(where: { $0.unicodeScalars.prefix { $0 != "#" }.contains("\u{A0}") }) {
            problems.report(
                line: index + 1,
                "A no-break space (U+00A0) looks like a space but is not one. Replace it with a space."
            )
            return nil
        }
        // The parser compares each with all before: fifty thousand would take seconds.
        if let index = lines.firstIndex(where: { $0.utf8.first == UInt8(ascii: "%") }) {
            problems.report(line: index + 1, "Directives (%) are not supported. Remove the line.")
            return nil
        }
        do throws(YAMLError) {
            let node = try yaml.withUnsafeBufferPointer { text throws(YAMLError) in try YAMLDocument.root(of: text) }
            guard let node else {
                problems.report("The file is empty.")
                return nil
            }
            return ConfigurationValue(node: node, path: "", problems: problems)
        } catch {
            switch error {
            case .syntax(let line, let opening, let message):
                let hint = SyntaxHint(lines, line: line, opening: opening)
                problems.report(line: hint?.line ?? line, hint?.message ?? message)
            case .refused(let found): for (line, message) in found { problems.report(line: line, message) }
            case .memory: problems.report("There is not enough memory to read the file.")
            }
            return nil
        }
    }
}
