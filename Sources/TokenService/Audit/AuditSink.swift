/// Where audit lines go.
protocol AuditSink: Sendable {
    /// The last line that is there, without its newline; nil when there is none, or it cannot be read back.
    func lastLine() throws -> [UInt8]?

    /// Writes a line with its newline, whole or not at all.
    func write(_ line: [UInt8]) throws

    /// Throws when a line could not be written now.
    func check() throws
}
