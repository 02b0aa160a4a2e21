import FleetToken
import ServiceSupport
import TokenService

/// Header fields from a file, so that no credential is in an argument.
enum HeaderFile {
    private static let maximumKibibytes = 64

    /// Reads a field a line; none without a file.
    ///
    /// - Throws: ``CommandError`` that describes the problem and repeats nothing of the file.
    static func read(_ path: String?) throws(CommandError) -> [(name: String, value: String)] {
        guard let path else { return [] }
        let limit = maximumKibibytes * 1024
        // A byte more, which tells that it is too large.
        let bytes = try Input.read(path, atMost: limit + 1)
        guard bytes.count <= limit else {
            throw CommandError(.failure, "The header file has more than \(maximumKibibytes) KiB.")
        }
        var fields: [(name: String, value: String)] = []
        var names: Set<String> = []
        // Only a line feed ends a line; `Character` treats other bytes as line ends too.
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line != [UInt8(ascii: "\r")] {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandError(.failure, "A line of the header file is not in the form NAME: VALUE.")
            }
            let value = trimmed(parts[1])
            guard parts[0].allSatisfy(isTokenByte), value.allSatisfy({ $0.isASCIIPrintable || $0 == 0x09 }) else {
                throw CommandError(.failure, "The header file has a character that HTTP does not allow.")
            }
            let name = String(decoding: parts[0], as: UTF8.self)
            guard names.insert(name.lowercased()).inserted else {
                throw CommandError(.failure, "Duplicate field in the header file.")
            }
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        return fields
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Returns the value without surrounding white space and without a trailing CR.
    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        (value.last == UInt8(ascii: "\r") ? value.dropLast() : value).trimming(while: \.isASCIIBlank)
    }
}
