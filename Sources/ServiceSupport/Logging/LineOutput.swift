import Synchronization
package import SystemPackage

/// A stream of lines that several writers share, such as the log and the audit trail on standard output: lines stay whole.
package final class LineOutput: Sendable {
    package static let standardOutput = LineOutput(descriptor: STDOUT_FILENO)
    package static let standardError = LineOutput(descriptor: STDERR_FILENO)

    package let descriptor: CInt
    /// Held by the writer whose turn it is: whether a failed write may have left a part of a line.
    private let hasOpenLine = Mutex(false)

    /// Creates a stream to a descriptor, which must stay open.
    package init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes whole lines, each with its line feed, and blocks while the reader is stalled.
    ///
    /// After a failed write, they begin with a line feed, which ends what that left.
    ///
    /// - Throws: `Errno`. Some of the bytes may have been written in that case.
    package func writeLines(_ lines: [UInt8]) throws(Errno) {
        let error = hasOpenLine.withLock { hasOpenLine in
            let error = writeAll(hasOpenLine ? [UInt8(ascii: "\n")] + lines : lines)
            hasOpenLine = error != 0
            return error
        }
        if error != 0 { throw Errno(rawValue: error) }
    }

    /// Returns 0, or the error number.
    private func writeAll(_ bytes: [UInt8]) -> CInt {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || !canRetry() {
                    return count == 0 ? ENOSPC : errno
                }
            }
            return 0
        }
    }

    /// Returns whether the last error is temporary: a signal, or a descriptor that another process made nonblocking.
    private func canRetry() -> Bool {
        let error = errno
        switch error {
        case EINTR: return true
        case EAGAIN:
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&request, 1, -1) == 1 || errno == EINTR { return true }
            errno = error
            return false
        default: return false
        }
    }
}
