import ArgumentParser
import SystemPackage
import TokenMinting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The streams of a command: results go to standard output, all else to standard error.
enum Console {
    /// Whether somebody looks at standard output.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether somebody types standard input.
    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Writes a result, with whatever could act on a terminal escaped.
    static func write(_ text: String) throws {
        try write(Array(text.harmlessOnTerminal.utf8))
    }

    /// Writes a result's bytes as they are.
    static func write(_ bytes: [UInt8]) throws {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            // Whoever read it has seen enough. It comes to this only where the signal, which ends the process, is ignored.
            throw ExitStatus.failure.code
        } catch {
            throw CommandError(.failure, "Cannot write to standard output: \(error).")
        }
    }

    /// Writes a line for people, with whatever could act on a terminal escaped.
    static func note(_ text: String) {
        // When nobody can be told, nobody can be told that either.
        _ = try? FileDescriptor.standardError.writeAll("\(text.harmlessOnTerminal)\n".utf8)
    }
}
