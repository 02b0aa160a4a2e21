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
    /// Whether standard output is a terminal.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether standard input is a terminal.
    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Writes a result, with characters escaped that could act on a terminal.
    static func write(_ text: String) throws {
        try write(Array(text.harmlessOnTerminal.utf8))
    }

    /// Writes a result's bytes as they are.
    static func write(_ bytes: [UInt8]) throws {
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            // The reader has closed the pipe. This is reached only if SIGPIPE is ignored.
            throw ExitStatus.failure.code
        } catch {
            throw CommandError(.failure, "Cannot write to standard output: \(error).")
        }
    }

    /// Writes a line for people, with characters escaped that could act on a terminal.
    static func note(_ text: String) {
        // A failure to write to standard error cannot be reported.
        _ = try? FileDescriptor.standardError.writeAll("\(text.harmlessOnTerminal)\n".utf8)
    }
}
