package import ArgumentParser
import CProgram
package import FleetToken
import ServiceConfiguration
import ServiceSupport
import StrictCoding
import TokenMinting

/// Running a program: its arguments, its command, and how it ends.
package protocol Program: AsyncParsableCommand {}

extension Program {
    /// Parses the arguments, runs the command, and ends the process.
    package static func runToEnd() async -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        fleet_token_silence_dispatch()
        do {
            // Before they are parsed, since the parser's messages repeat what it was given.
            if let refusal = ArgumentScreen.refusal(of: arguments) { throw CommandError(.usage, refusal) }
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            end(.success)
        } catch {
            end(status(of: error, arguments))
        }
    }

    /// Writes why a command did not succeed, or the requested help, and returns the exit status.
    private static func status(of error: any Error, _ arguments: [String]) -> ExitCode {
        if let error = CommandError(error) {
            Console.note("Error: \(error.message)")
            return error.status.code
        }
        if let code = error as? ExitCode { return code }
        // The parser's own: help and completion scripts, which are successes, or a mistake in the arguments.
        let code = exitCode(for: error)
        guard code == .success else {
            Console.note(message(for: error, arguments))
            return code == .validationFailure ? ExitStatus.usage.code : code
        }
        let text = fullMessage(for: error)
        do {
            if !text.isEmpty { try Console.write(Array("\(text)\n".utf8)) }
            return code
        } catch {
            return status(of: error, arguments)
        }
    }

    /// Ends the process without the destructors of libraries.
    ///
    /// A PKCS#11 module's destructor would wait for its own hanging call, or free what a call on the module's thread still
    /// uses. A handler of our own for `exit` cannot prevent it: what a module registers later is called earlier.
    private static func end(_ code: ExitCode) -> Never { _exit(code.rawValue) }

    private static func message(for error: any Error, _ arguments: [String]) -> String {
        let text = fullMessage(for: error)
        guard let mistake = UsageMistake(arguments, help: _dumpHelp()),
            let usage = text.firstRange(of: "Usage: ")
        else { return text }
        return "Error: \(mistake.message)\n\(text[usage.lowerBound...])"
    }
}

extension ProductVersion {
    /// A program's name and version, with the commit that a release was built from.
    package static func text(of program: String) -> String {
        let revision = String(cString: fleet_token_revision())
        return "\(program) \(current)\(revision.isEmpty ? "" : " (\(revision))")"
    }
}

/// Prints a shell's completion script.
package struct CompletionCommand<Root: Program>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        let name = Root.configuration.commandName ?? ""
        return CommandConfiguration(
            commandName: "completion",
            abstract: "Print a shell's completion script.",
            discussion: """
                EXAMPLES:
                  source <(\(name) completion bash)
                  \(name) completion zsh > "${fpath[1]}/_\(name)"
                  \(name) completion fish > ~/.config/fish/completions/\(name).fish
                """
        )
    }

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
    var shell: Shell

    package init() {}

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    package func run() throws {
        guard let shell = CompletionShell(rawValue: shell.rawValue) else { throw ExitStatus.usage.code }
        try Console.write(Array("\(Root.completionScript(for: shell))\n".utf8))
    }
}

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
