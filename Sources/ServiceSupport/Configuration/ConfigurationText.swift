import FleetToken

/// The text of a YAML file that an operator writes, read strictly.
package enum ConfigurationText {
    /// No configuration is near this size: 1 MiB.
    private static let maximumSize = 1 << 20

    /// How much of a file is read: the first byte past the maximum tells that it is too large.
    package static let readSize = maximumSize + 1

    /// Reads a file that holds no secret.
    ///
    /// - Throws: ``OperatorError`` that names it.
    package static func read(_ path: String) throws(OperatorError) -> [UInt8] {
        try FileContent.read(path, atMost: readSize, isRegular: true)
    }

    /// Returns the root of a text; nil, with the problems, if there is none.
    package static func parse(_ yaml: [UInt8], _ problems: ConfigurationProblems) -> ConfigurationValue? {
        guard yaml.count <= maximumSize else {
            problems.report("The file is larger than 1 MiB.")
            return nil
        }
        // The parser would treat a byte-order mark as text.
        let yaml = yaml.withoutByteOrderMark
        if let (line, message) = problem(in: yaml) {
            problems.report(line: line, message)
            return nil
        }
        do throws(YAMLError) {
            let node = try yaml.withUnsafeBufferPointer { text throws(YAMLError) in try YAMLDocument.root(of: text) }
            if let node { return ConfigurationValue(node: node, path: "", problems: problems) }
            problems.report("The file is empty.")
        } catch {
            switch error {
            case .syntax(let line, let message): problems.report(line: line, message)
            case .refused(let found): for (line, message) in found { problems.report(line: line, message) }
            case .memory: problems.report("There is not enough memory to read the file.")
            }
        }
        return nil
    }

    /// Returns why a text is not given to the parser, with the line if there is one.
    private static func problem(in yaml: ArraySlice<UInt8>) -> (line: Int?, message: String)? {
        let text = String(decoding: yaml, as: UTF8.self)
        guard text.utf8.elementsEqual(yaml) else { return (nil, "The file is not UTF-8.") }
        // The only view of a file's end of line that counts lines as the parser does, and that keeps CR LF together.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if let index = lines.firstIndex(where: { $0.unicodeScalars.prefix { $0 != "#" }.contains("\u{A0}") }) {
            return (index + 1, "A no-break space (U+00A0) looks like a space but is not one. Replace it with a space.")
        }
        return nil
    }
}
