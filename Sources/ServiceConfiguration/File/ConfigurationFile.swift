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
        if let line = Self.lineWithNoBreakSpace(text) {
            problems.report(
                line: line,
                "A no-break space (U+00A0) looks like a space but is not one. Replace it with a space."
            )
            return nil
        }
        if let line = AliasScreen.bomb(in: yaml) {
            problems.report(line: line, "\(AliasScreen.hint)")
            return nil
        }
        if let line = DirectiveScreen.excess(in: yaml) {
            problems.report(line: line, DirectiveScreen.hint)
            return nil
        }
        do throws(YAMLError) {
            let node = try yaml.withUnsafeBufferPointer { text throws(YAMLError) in try YAMLDocument.root(of: text) }
            guard let node else {
                problems.report("The file is empty.")
                return nil
            }
            let root = ConfigurationValue(node: node, path: "", problems: problems)
            return root.reportAnchors() ? nil : root
        } catch {
            report(error, in: text, to: problems)
            return nil
        }
    }

    private static func report(_ error: YAMLError, in text: String, to problems: ConfigurationProblems) {
        switch error {
        case .syntax(let problem): problems.report(YAMLMessage(problem, in: lines(of: text)))
        case .character(let problem, let line): problems.report(line: line, YAMLMessage.message(problem))
        case .duplicate(let names):
            for (name, first, second) in names {
                problems.report(YAMLMessage(duplicate: name, first: first, second: second))
            }
        case .depth(let line):
            problems.report(
                line: line,
                "Lists and mappings are nested more than \(YAMLDocument.maximumDepth) levels deep."
            )
        case .memory: problems.report("There is not enough memory to read the file.")
        }
    }

    /// The first line, from 1, with a no-break space outside a comment.
    private static func lineWithNoBreakSpace(_ text: String) -> Int? {
        lines(of: text).firstIndex { line in
            line.unicodeScalars.prefix { $0 != "#" }.contains("\u{A0}")
        }.map { $0 + 1 }
    }

    private static func lines(of text: String) -> [Substring] {
        // A line's end may be CR LF, which is one `Character`.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

extension ConfigurationProblems {
    fileprivate func report(_ fault: YAMLMessage) {
        report(line: fault.line, fault.message)
    }
}

extension ConfigurationValue {
    /// Reports each anchor and each alias, which is a copy of an anchored value.
    ///
    /// They obscure a file's content, and nested aliases make a small file expand without limit: anchored values are
    /// not examined.
    ///
    /// - Returns: Whether there are any.
    fileprivate func reportAnchors() -> Bool {
        guard !node.hasAnchor else {
            report("uses an anchor (&). Anchors and aliases are not supported; write the value in each place.")
            return true
        }
        let values = (isList ? list() : []) + (isMapping ? entries().map(\.value) : [])
        return values.reduce(false) { $1.reportAnchors() || $0 }
    }
}
