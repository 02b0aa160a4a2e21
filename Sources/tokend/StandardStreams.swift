import Telemetry
import TokenMinting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and error, without full Foundation and its locales, which would double a static binary's size.
///
/// The output repeats text from files and arguments, so characters that could act on a terminal are escaped.
enum StandardStreams {
    /// Whether standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Prints immediately, also to a pipe, and blocks while the reader is stalled.
    static func print(_ text: String) {
        Swift.print(text.harmlessOnTerminal, terminator: "")
        fflush(nil)
    }

    /// Prints within milliseconds, without blocking.
    static func show(_ text: String) {
        LineWriter.standardOutput.writeLine(Array(text.harmlessOnTerminal.utf8))
    }

    /// Writes a line to standard error, after the log's lines.
    ///
    /// Waits up to five seconds for the reader, because the process is about to exit.
    static func note(_ text: String) {
        LineWriter.standardError.writeLine(Array("\(text.harmlessOnTerminal)\n".utf8))
        LineWriter.standardError.flush(within: 5)
    }
}
