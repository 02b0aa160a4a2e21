import ServiceConfiguration
import StrictCoding

/// Finds a misspelt command or option, which the parser would report after what is missing.
struct UsageMistake {
    /// What is wrong, with what was probably meant.
    let message: String

    private static let everywhere = ["help", "version", "help-hidden", "generate-completion-script"]

    /// Creates the first mistake; nil where every name is known.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - help: The program's commands and options, as the parser's `_dumpHelp` describes them.
    init?(_ arguments: [String], help: String) {
        guard var command = (try? JSONParser.parseObject(Array(help.utf8)))?["command"]?.objectValue else { return nil }
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument.utf8.starts(with: "--".utf8) {
                let name = String(argument.dropFirst(2).prefix { $0 != "=" })
                let options = Self.options(of: command, "long")
                if let takesValue = options[name] {
                    if takesValue, !argument.utf8.contains(UInt8(ascii: "=")) { _ = rest.popFirst() }
                } else if !Self.everywhere.contains(name) {
                    let known = options.keys.sorted() + Self.everywhere.prefix(2)
                    message = Self.message("Unknown option '--\(name)'.", name: name, known: known, dashes: "--")
                    return
                }
            } else if argument.utf8.starts(with: "-".utf8), argument.utf8.count == 2 {
                if Self.options(of: command, "short")[String(argument.dropFirst())] == true { _ = rest.popFirst() }
            } else if let commands = command["subcommands"]?.arrayValue?.compactMap(\.objectValue), !commands.isEmpty {
                if let next = commands.first(where: { $0["commandName"]?.stringValue == argument }) {
                    command = next
                } else {
                    let known = commands.compactMap { $0["commandName"]?.stringValue }
                    message = Self.message("Unknown command '\(argument)'.", name: argument, known: known, dashes: "")
                    return
                }
            }
        }
        return nil
    }

    private static func message(_ text: String, name: String, known: [String], dashes: String) -> String {
        Spelling.suggestion(for: name, in: known).map { "\(text) Did you mean '\(dashes)\($0)'?" } ?? text
    }

    /// A command's options of one sort by their names, each with whether a value follows it.
    private static func options(of command: JSONObject, _ sort: String) -> [String: Bool] {
        var options: [String: Bool] = [:]
        for argument in command["arguments"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            for name in argument["names"]?.arrayValue?.compactMap(\.objectValue) ?? []
            where name["kind"]?.stringValue == sort {
                if let text = name["name"]?.stringValue { options[text] = argument["kind"]?.stringValue == "option" }
            }
        }
        return options
    }
}
