import StrictCoding

/// The fields of a written line that the chain needs.
package struct AuditLine {
    /// Its number.
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
