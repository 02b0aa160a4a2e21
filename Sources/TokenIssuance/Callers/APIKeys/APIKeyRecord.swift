package import FleetToken
import ServiceSupport

/// The stored part of an API key: enough to recognize the key, not enough to use it.
package struct APIKeyRecord: Hashable, Sendable {
    let id: [UInt8]
    /// The SHA-256 of the whole key.
    let digest: [UInt8]
    /// From when on it is refused; nil for never.
    let notAfter: NumericDate?
    /// The operator's label.
    let label: String

    package init(id: [UInt8], digest: [UInt8], notAfter: NumericDate?, label: String) {
        self.id = id
        self.digest = digest
        self.notAfter = notAfter
        self.label = label
    }

    /// The line of the file: `ID SHA256 NOT_AFTER LABEL`.
    package var line: String {
        let expiry = notAfter.map(\.rfc3339) ?? Self.never
        return "\(String(decoding: id, as: UTF8.self)) \(Hexadecimal.text(digest)) \(expiry) \(label)"
    }

    /// The text that stands for no expiry.
    private static let never = "never"
    private static let hint = "Create a key with: tokenctl apikey new"

    /// Returns whether a text is a valid label: 1 to 64 visible ASCII characters and spaces, without a space at either
    /// end.
    package static func isLabel(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        return (1...64).contains(text.count) && text.allSatisfy(\.isASCIIPrintable) && text.first != space
            && text.last != space
    }
}

extension APIKeyRecord {
    /// Creates a record by parsing a line of the file.
    ///
    /// - Throws: ``OperatorError`` that describes the problem without repeating the line.
    init(parsing line: ArraySlice<UInt8>) throws(OperatorError) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard fields.count == 4 else {
            throw .init("The line must have an ID, a SHA-256, an expiry and a label, separated by spaces.")
        }
        guard APIKey.isID(fields[0]) else {
            throw .init("The ID is not \(APIKey.idLength) letters and digits. \(Self.hint)")
        }
        guard let digest = Self.digest(fields[1]) else {
            throw .init("The second field is not a SHA-256: 64 lower-case hexadecimal digits. \(Self.hint)")
        }
        guard Set(fields[1]).count >= 8 else {
            throw .init("The SHA-256 is a placeholder. \(Self.hint)")
        }
        let expiry = try Self.expiry(fields[2])
        guard Self.isLabel(fields[3]) else {
            throw .init("The label must have 1 to 64 visible ASCII characters and spaces.")
        }
        self.init(
            id: Array(fields[0]),
            digest: digest,
            notAfter: expiry,
            label: String(decoding: fields[3], as: UTF8.self)
        )
    }

    /// Returns the time in exactly the form that ``line`` writes, or nil for never.
    private static func expiry(_ text: ArraySlice<UInt8>) throws(OperatorError) -> NumericDate? {
        guard !text.elementsEqual(never.utf8) else { return nil }
        guard let time = NumericDate(text: String(decoding: text, as: UTF8.self)), text.elementsEqual(time.rfc3339.utf8)
        else { throw .init("The expiry is neither a time such as 2027-01-31T00:00:00Z nor the word never.") }
        return time
    }

    /// Returns the digest, in exactly the form that ``line`` writes: in lower case.
    private static func digest(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 64 else { return nil }
        var digest: [UInt8] = []
        var rest = text
        while let high = rest.popFirst(), let low = rest.popFirst() {
            guard let high = Hexadecimal.value(of: high), let low = Hexadecimal.value(of: low) else { return nil }
            digest.append(high << 4 | low)
        }
        return text.elementsEqual(Hexadecimal.text(digest).utf8) ? digest : nil
    }
}
