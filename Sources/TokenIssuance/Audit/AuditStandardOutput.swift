import SystemPackage
import Telemetry

/// Standard output as an audit trail, for whatever collects it.
///
/// It cannot be read back, so the chain begins anew with each start.
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
