import TokenProvider

/// Header fields from a file, so that no credential stands in an argument.
enum HeaderFile {
    /// Reads a field a line; none without a file.
    ///
    /// - Throws: ``TokenProviderError`` that says what is wrong and repeats nothing of the file.
    static func read(_ path: String?) throws -> [String: String] {
        guard let path else { return [:] }
        let bytes: [UInt8]
        do {
            bytes = try Input.read(path, atMost: 64 * 1024)
        } catch {
            throw TokenProviderError(.unauthenticated, error.message)
        }
        var fields: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else {
                throw TokenProviderError(.invalidConfiguration, "A line of the header file is not NAME: VALUE.")
            }
            fields[String(parts[0])] = String(parts[1].drop { $0 == " " })
        }
        return fields
    }
}
