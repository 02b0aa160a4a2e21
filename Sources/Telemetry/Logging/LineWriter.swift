import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes whole lines to a file descriptor, each with one `write(2)`, however many threads have one to write.
final class LineWriter: Sendable {
    /// Standard output.
    static let standardOutput = LineWriter(descriptor: STDOUT_FILENO)
    /// Standard error.
    static let standardError = LineWriter(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    /// Whose turn it is: the system keeps a write to a pipe in one piece up to `PIPE_BUF` bytes only.
    private let turn = Mutex(())

    /// A writer to a descriptor, which must stay open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether somebody may be looking.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes a line, which ends with a line feed.
    ///
    /// One that can't be written is lost: there is no better place to say so.
    func writeLine(_ line: [UInt8]) {
        turn.withLock { _ in
            line.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count > 0 {
                        rest = rest.dropFirst(count)
                    } else if count == 0 || !canRetry() {
                        return
                    }
                }
            }
        }
    }

    /// Whether the last error goes away: a signal, or a descriptor that somebody made non-blocking for all who have it.
    private func canRetry() -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN:
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&request, 1, -1) == 1 || errno == EINTR
        default: return false
        }
    }
}
