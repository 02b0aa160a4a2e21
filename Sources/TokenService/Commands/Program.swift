package import ArgumentParser
import CRevision
package import FleetToken
import ServiceSupport

/// Running a program: its arguments, its command, and how it ends.
package protocol Program: AsyncParsableCommand {}

extension Program {
    /// Parses the arguments, runs the command, and ends the process.
    package static func runToEnd() async -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Without the privilege to raise a thread's priority, Dispatch would write a line for each worker to standard error.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        do {
            // Before they are parsed, since the parser's messages repeat what it was given.
            if let refusal = ArgumentScreen.refusal(of: arguments) { throw CommandError(.usage, refusal) }
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(withError: nil)
        } catch {
            exit(withError: status(of: error))
        }
    }

    /// Writes why a command did not succeed, or the requested help, and returns the exit status.
    private static func status(of error: any Error) -> ExitCode {
        if let error = CommandError(error) {
            Console.note("Error: \(error.message)")
            return error.status.code
        }
        if let code = error as? ExitCode { return code }
        // The parser's own: help and completion scripts, which are successes, or a mistake in the arguments.
        let code = exitCode(for: error)
        guard code == .success else {
            Console.note(fullMessage(for: error))
            return code == .validationFailure ? ExitStatus.usage.code : code
        }
        let text = fullMessage(for: error)
        do {
            if !text.isEmpty { try Console.write(Array("\(text)\n".utf8)) }
            return code
        } catch {
            return status(of: error)
        }
    }
}

extension ProductVersion {
    /// A program's name and version, with the commit that a release was built from.
    package static func text(of program: String) -> String {
        let revision = String(cString: fleet_token_revision())
        return "\(program) \(current)\(revision.isEmpty ? "" : " (\(revision))")"
    }
}
