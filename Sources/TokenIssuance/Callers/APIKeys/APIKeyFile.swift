import ServiceSupport

/// The file with a caller's API keys: a line for each, empty lines, and comments behind `#`.
///
/// Several lines may be valid at once, so that a key can be replaced before it is revoked. A file without keys is valid: all of
/// the caller's keys are revoked.
package struct APIKeyFile: Sendable {
    /// The keys, in the file's order.
    let records: [APIKeyRecord]

    /// Creates the keys by parsing a file's content; messages have its path.
    ///
    /// - Throws: ``OperatorError`` with all lines that are wrong, by number.
    init(parsing text: [UInt8], path: String) throws(OperatorError) {
        var records: [APIKeyRecord] = []
        var problems: [Problem] = []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            do throws(OperatorError) {
                guard let record = try Self.record(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) else {
                    continue
                }
                guard !records.contains(where: { $0.id == record.id }) else {
                    throw .init("Duplicate ID: another line has the same ID.")
                }
                records.append(record)
            } catch {
                problems.append(Problem("\(path):\(index + 1): \(error)"))
            }
        }
        guard problems.isEmpty else { throw OperatorError(problems: problems) }
        self.records = records
    }

    /// Returns the key in a line; nil if the line is empty or a comment.
    private static func record(_ line: ArraySlice<UInt8>) throws(OperatorError) -> APIKeyRecord? {
        // In comments too: a former key is still a key.
        guard !APIKey.occurs(in: line) else {
            throw .init(
                "The line contains a plaintext key, which must not be stored. Revoke the key, create another with tokenctl apikey new, and store the line that it prints."
            )
        }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        return try APIKeyRecord(parsing: line)
    }

    /// Returns the IDs of the keys in a file; none if the file is gone, and nil if it is invalid.
    package static func ids(in path: String) -> Set<String>? {
        guard KeyFile.isPresent(path) else { return [] }
        return (try? read(path)).map { Set($0.records.map { String(decoding: $0.id, as: UTF8.self) }) }
    }

    /// Reads a file.
    ///
    /// - Throws: ``OperatorError`` when it cannot be read, or with all lines that are wrong.
    static func read(_ path: String) throws(OperatorError) -> APIKeyFile {
        try APIKeyFile(parsing: try TrustedFile(path).read(), path: path)
    }
}
