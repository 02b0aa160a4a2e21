/// Where audit lines go.
///
/// Only one thread at a time uses it, and each call may block.
package protocol AuditSink: Sendable {
    /// The last line that is there, without its newline; nil when there is none, or it cannot be read back.
    func lastLine() throws -> [UInt8]?

    /// Writes lines with their newlines, all of them whole or none at all.
    func write(_ bytes: [UInt8], lines: Int) throws

    /// Throws when a line could not be written now.
    func check() throws

    /// Makes lines durable, unless each write does.
    func sync()
}

extension AuditSink {
    package func sync() {}
}
