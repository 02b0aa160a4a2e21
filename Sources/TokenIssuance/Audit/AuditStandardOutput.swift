import SystemPackage
import Telemetry

/// Standard output as an audit trail, to be collected by another system.
///
/// It cannot be read back, so each start begins a new chain.
package struct AuditStandardOutput: AuditSink {
    /// Creates the sink.
    package init() {}

    package func lastLine() -> [UInt8]? { nil }

    package func write(_ bytes: [UInt8], lines: Int) throws {
        let error = LineWriter.writeAll(bytes, to: FileDescriptor.standardOutput.rawValue)
        guard error == 0 else { throw Errno(rawValue: error) }
    }

    package func check() {}
}
