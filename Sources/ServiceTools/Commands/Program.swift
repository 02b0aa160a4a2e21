package import ArgumentParser
import CProgram
package import FleetToken
import ServiceSupport
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

/// Shows the version, as `--version` does.
package struct VersionCommand<Root: Program>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "version", abstract: "Show the version.")
    }

    package init() {}

    package func run() throws {
        try Console.write("\(ProductVersion.text(of: Root.configuration.commandName ?? ""))\n")
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
