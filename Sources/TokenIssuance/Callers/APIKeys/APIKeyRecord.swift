package import FleetToken
import ServiceSupport
import StrictCoding
import TokenMinting

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
    static let never = "never"

    /// Returns whether a text is a valid label: 1 to 64 visible ASCII characters and spaces, without a space at either
    /// end.
    package static func isLabel(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        return (1...64).contains(text.count) && text.allSatisfy(\.isASCIIPrintable) && text.first != space
            && text.last != space
    }
}
