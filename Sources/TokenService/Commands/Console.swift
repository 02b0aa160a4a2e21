import ArgumentParser
package import FleetToken
import ServiceSupport
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The streams of a command: results go to standard output, all else to standard error.
package enum Console {
    package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The environment variables.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Writes a result, with characters escaped that could act on a terminal.
    package static func write(_ text: String) throws {
        try write(Array(text.harmlessOnTerminal.utf8))
    }

    /// Writes a result for programs, a member or an element a line.
    package static func write(_ json: JSONValue) throws {
        try write(Array("\(json.pretty())\n".utf8))
    }

    /// Writes a result's bytes as they are.
    package static func write(_ bytes: [UInt8]) throws {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            // The reader has closed the pipe. This is reached only if SIGPIPE is ignored.
            throw ExitStatus.failure.code
        } catch {
            throw CommandError(.failure, "Cannot write to standard output: \(error).")
        }
    }

    /// Writes text to standard output within milliseconds, without waiting for the reader.
    package static func show(_ text: String) {
        LineWriter.standardOutput.writeLine(Array(text.harmlessOnTerminal.utf8))
    }

    /// Writes a line for people, with characters escaped that could act on a terminal.
    package static func note(_ text: String) {
        // After the log's lines, and not for ever: the process is about to end, or to write more.
        LineWriter.standardError.writeLine(Array("\(text.harmlessOnTerminal)\n".utf8))
        LineWriter.standardError.flush(within: 5)
    }

    /// Asks a person a question on the terminal, and returns the answer without blanks around it; nil at the input's end.
    package static func answer(to question: String) -> String? {
        note("\(question):")
        guard let line = readLine(strippingNewline: true) else { return nil }
        return String(decoding: line.utf8.trimming(while: \.isASCIIBlank), as: UTF8.self)
    }

    /// Writes a line on a terminal while work takes longer than a second.
    package static func progress<Result>(_ text: String, _ work: () async throws -> Result) async rethrows -> Result {
        let note = Task {
            try await Task.sleep(for: .seconds(1))
            if isErrorTerminal { Self.note(text) }
        }
        defer { note.cancel() }
        return try await work()
    }
}
