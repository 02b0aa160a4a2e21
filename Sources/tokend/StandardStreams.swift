import TokenMinting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and error, without the Foundation that has locales: it would double a static binary's size.
///
/// What is written repeats what files and arguments say, so whatever could act on a terminal is escaped.
enum StandardStreams {
    /// Whether somebody looks at the log as it is written.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Prints at once, into a pipe too.
    static func print(_ text: String) {
        Swift.print(text.harmlessOnTerminal, terminator: "")
        fflush(nil)
    }

    /// Writes a line to standard error, in as few calls as it takes.
    static func note(_ text: String) {
        var rest = Array("\(text.harmlessOnTerminal)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
