#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 for URLs without padding (RFC 7515 section 2).
enum Base64URL {
    /// Returns the text for bytes.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString()
        return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the bytes of a text; nil unless it is the only text for them.
    static func decode(_ text: some Swift.Collection<UInt8>) -> [UInt8]? {
        let text = String(decoding: text, as: UTF8.self)
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: plain + padding), encode(data).hasSameBytes(as: text) else { return nil }
        return Array(data)
    }
}
