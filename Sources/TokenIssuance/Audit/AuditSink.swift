/// The destination of audit lines.
///
/// Only one thread at a time uses it, and each call may block.
package protocol AuditSink: Sendable {
    /// Returns the last line without its newline; nil if there is none or if it cannot be read back.
    func lastLine() throws -> [UInt8]?

    /// Writes lines with their newlines, all of them completely or none.
    func write(_ bytes: [UInt8], lines: Int) throws

    /// Throws an error if a line could not be written now.
    func check() throws

    /// Makes lines durable, unless each write does.
    func sync()
}

extension AuditSink {
    package func sync() {}
}
