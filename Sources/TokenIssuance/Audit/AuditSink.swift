import ServiceSupport
import Synchronization
import SystemPackage

/// The destination of audit lines.
///
/// Only one thread at a time uses it, and each call may block.
package protocol AuditSink: Sendable {
    /// Returns the last line without its newline; nil if there is none or if it cannot be read back.
    func lastLine() throws -> [UInt8]?

    /// Writes lines with their newlines, all of them completely or none.
    func write(_ bytes: [UInt8]) throws

    /// Throws an error if a line could not be written now.
    func check() throws
}

/// Standard output as an audit trail, to be collected by another system.
///
/// It cannot be read back, so each start begins a new chain.
package final class AuditStandardOutput: AuditSink {
    private let descriptor: Int32
    /// The error of the last write; 0 after a write that succeeded.
    private let lastError = Atomic<Int32>(0)

    /// Creates the sink.
    package init(descriptor: Int32 = FileDescriptor.standardOutput.rawValue) {
        self.descriptor = descriptor
    }

    package func lastLine() -> [UInt8]? { nil }

    package func write(_ bytes: [UInt8]) throws {
        let error = LineWriter.writeAll(bytes, to: descriptor)
        lastError.store(error, ordering: .relaxed)
        guard error == 0 else { throw Errno(rawValue: error) }
    }

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, a pipe must have a reader again, and a file must take a byte, which is cut off again.
    package func check() throws {
        let error = lastError.load(ordering: .relaxed)
        guard error != 0 else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 0) == 1, request.revents == Int16(POLLOUT) else { throw Errno(rawValue: error) }
            return
        }
        try write([UInt8(ascii: "\n")])
        var now = stat()
        // Not where another process has written since.
        guard fstat(descriptor, &now) == 0, now.st_size == status.st_size + 1 else { return }
        guard ftruncate(descriptor, status.st_size) == 0 else { return }
        lseek(descriptor, status.st_size, SEEK_SET)
    }
}
