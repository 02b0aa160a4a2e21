package import ServiceSupport
import Synchronization
import SystemPackage

/// Standard output as an audit trail, to be collected by another system.
///
/// Other writers may share it, such as the log, so nothing that was written is ever taken back.
package final class AuditStandardOutput: AuditSink {
    private let output: LineOutput
    /// The error of the last write; nil after a write that succeeded.
    private let failure = Mutex<Errno?>(nil)

    /// Creates the sink.
    package init(_ output: LineOutput = .standardOutput) {
        self.output = output
    }

    package func write(_ bytes: [UInt8]) throws {
        do throws(Errno) {
            try output.writeLines(bytes)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, there must be room, and for a pipe a reader: what it left of a line is ended.
    package func check() throws {
        guard let failure = failure.withLock({ $0 }) else { return }
        // A pipe that is full must not hold the writer.
        var request = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 0) == 1, request.revents == Int16(POLLOUT) else { throw failure }
        try write([])
    }
}
