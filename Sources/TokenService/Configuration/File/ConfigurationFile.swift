import Yams

/// Reads the YAML file, strictly and to the end.
struct ConfigurationFile {
    /// No configuration is near this size: 1 MiB.
    static let maximumSize = 1 << 20

    /// The configuration, if nothing is wrong with it.
    let configuration: ServiceConfiguration?
    /// All that is wrong.
    let problems: [ConfigurationProblem]

    /// Reads and checks a file's text.
    init(yaml: [UInt8]) {
        let problems = ConfigurationProblems()
        var configuration: ServiceConfiguration?
        if let root = Self.parse(yaml, problems) {
            configuration = ServiceConfiguration(root)
            configuration?.check(problems)
        }
        self.configuration = problems.list.isEmpty ? configuration : nil
        self.problems = problems.list
    }

    static func parse(_ yaml: [UInt8], _ problems: ConfigurationProblems) -> ConfigurationValue? {
        guard yaml.count <= maximumSize else {
            problems.report("The file is larger than 1 MiB.")
            return nil
        }
        let text = String(decoding: yaml, as: UTF8.self)
        guard text.utf8.elementsEqual(yaml) else {
            problems.report("The file is not UTF-8.")
            return nil
        }
        do {
            guard let node = try Parser(yaml: text).singleRoot() else {
                problems.report("The file is empty.")
                return nil
            }
            return ConfigurationValue(node: node, path: "", problems: problems)
        } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) {
            let names = duplicates.sorted().joined(separator: ", ")
            problems.report(line: context.mark.line, "A mapping has a key twice: \(names). Keep one.")
        } catch YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _)
        {
            problems.report(line: mark.line, "This is not YAML: \(problem).")
        } catch {
            problems.report("This is not YAML.")
        }
        return nil
    }
}
