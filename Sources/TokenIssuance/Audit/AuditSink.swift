/// The destination of audit lines.
///
/// Only one thread at a time uses it, and each call may block.
package protocol AuditSink: Sendable {
    /// Writes lines with their line feeds, all of them completely or none.
    func write(_ bytes: [UInt8]) throws

    /// Throws an error if a line could not be written now.
    func check() throws
}
