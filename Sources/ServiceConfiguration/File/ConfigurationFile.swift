import Yams

/// Parses the YAML file strictly and reports all problems.
package struct ConfigurationFile {
    /// No configuration is near this size: 1 MiB.
    static let maximumSize = 1 << 20

    /// The configuration, if nothing is wrong with it.
    package let configuration: ProductionConfiguration?
    /// All that is wrong.
    package let problems: [ConfigurationProblem]

    /// Creates the result of parsing and checking a file's text.
    package init(yaml: [UInt8]) {
        let problems = ConfigurationProblems()
        var configuration: ProductionConfiguration?
        if let root = Self.parse(yaml, problems) {
            configuration = ProductionConfiguration(root)
            configuration?.check(problems)
        }
        self.configuration = problems.list.isEmpty ? configuration : nil
        self.problems = problems.list
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
        if let line = AliasScreen.bomb(in: yaml) {
            problems.report(line: line, "\(AliasScreen.hint)")
            return nil
        }
        do {
            let parser = try Parser(yaml: text)
            guard let node = try parser.singleRoot() else {
                problems.report("The file is empty.")
                return nil
            }
            let root = ConfigurationValue(node: node, path: "", problems: problems)
            // Nodes do not own their anchors; the parser does.
            let hasAnchors = withExtendedLifetime(parser) { root.reportAnchors() }
            return hasAnchors ? nil : root
        } catch YamlError.reader(let problem, let offset, _, _) {
            let line = offset.map { offset in 1 + yaml.prefix(offset).count { $0 == UInt8(ascii: "\n") } }
            problems.report(line: line, "Invalid YAML: \(problem).")
        } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) {
            let names = duplicates.sorted().joined(separator: ", ")
            problems.report(line: context.mark.line, "Duplicate key in a mapping: \(names). Remove one.")
        } catch YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _)
        {
            problems.report(line: mark.line, "Invalid YAML: \(problem).")
        } catch {
            problems.report("Invalid YAML.")
        }
        return nil
    }
}
