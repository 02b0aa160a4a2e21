#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and error, without the Foundation that has locales: it would double a static binary's size.
enum StandardStreams {
    /// Whether somebody looks at the log as it is written.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Prints at once, into a pipe too.
    static func print(_ text: String) {
        Swift.print(text, terminator: "")
        fflush(nil)
    }
}
