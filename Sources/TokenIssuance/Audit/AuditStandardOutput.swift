import ServiceSupport
import Synchronization
import SystemPackage

/// Standard output as an audit trail, to be collected by another system.
///
/// Other writers may share it, such as the log, so nothing that was written is ever taken back.
package final class AuditStandardOutput: AuditSink {
    private let descriptor: CInt
    /// The error of the last write; nil after a write that succeeded.
    private let failure = Mutex<Errno?>(nil)

    /// Creates the sink.
    package init(descriptor: CInt = FileDescriptor.standardOutput.rawValue) {
        self.descriptor = descriptor
    }

    package func write(_ bytes: [UInt8]) throws {
        try failure.withLock { failure in
            // A failed write may have left a part of a line, which ends here.
            let end = failure == nil ? [] : [UInt8(ascii: "\n")]
            let error = LineWriter.writeAll(end + bytes, to: descriptor)
            failure = error == 0 ? nil : Errno(rawValue: error)
            if let failure { throw failure }
        }
    }

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, there must be room, and for a pipe a reader: an empty line is written.
    package func check() throws {
        guard let failure = failure.withLock({ $0 }) else { return }
        // A pipe that is full must not hold the writer.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 0) == 1, request.revents == Int16(POLLOUT) else { throw failure }
        try write([])
    }
}
