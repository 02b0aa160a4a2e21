import JOSE
import StrictCoding

/// An audit line without its position in the trail.
struct AuditLineDraft: Sendable {
    /// The JSON object of its own members.
    private let object: [UInt8]

    /// Creates a line with the members of a JSON object.
    init(object: [UInt8]) {
        self.object = object
    }

    /// The line's length, about.
    var size: Int { object.count + 128 }

    private static let opening = Array(#"{"v":1,"sequence":"#.utf8)
    private static let previous = Array(#","previous":""#.utf8)
    private static let closing = Array(#""}"#.utf8)

    /// Appends the whole line and its newline.
    ///
    /// - Parameters:
    ///   - bytes: The lines before it.
    ///   - position: The line's position in the trail.
    /// - Returns: The position after it.
    func append(to bytes: inout [UInt8], at position: AuditTrail.Position) -> AuditTrail.Position {
        let start = bytes.endIndex
        bytes.append(contentsOf: Self.opening)
        bytes.append(decimal: position.sequence)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: object.dropFirst().dropLast())
        bytes.append(contentsOf: Self.previous)
        position.appendPrevious(to: &bytes)
        bytes.append(contentsOf: Self.closing)
        let digest = SHA256Digest(of: bytes[start...])
        bytes.append(UInt8(ascii: "\n"))
        return AuditTrail.Position(sequence: position.sequence + 1, previous: digest)
    }
}

/// The fields of a written line that the chain needs.
package struct AuditLine {
    /// The sequence number.
    package let sequence: UInt64
    /// The SHA-256 of the line before, in hexadecimal.
    package let previous: String

    package init?(_ line: some Sequence<UInt8>) {
        guard let object = try? JSONParser.parseObject(line),
            object["v"] == .integer(1),
            // The next line's number has to be one, too.
            let sequence = object["sequence"]?.integerValue, (0..<Int64.max).contains(sequence),
            let previous = object["previous"]?.stringValue
        else { return nil }
        self.sequence = UInt64(sequence)
        self.previous = previous
    }
}
