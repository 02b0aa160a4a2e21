#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 for URLs without padding (RFC 7515 section 2).
enum Base64URL {
    /// Returns the text for bytes.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: translated(Data(bytes).base64EncodedData(), from: "+/", to: "-_"), as: UTF8.self)
    }

    /// Returns the bytes of a text; nil unless it is the only text for them.
    static func decode(_ text: some Swift.Collection<UInt8>) -> [UInt8]? {
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(translated(text, from: "-_", to: "+/") + padding)),
            encode(data).utf8.elementsEqual(text)
        else { return nil }
        return Array(data)
    }

    private static func translated(_ text: some Sequence<UInt8>, from: String, to: String) -> [UInt8] {
        let pairs = zip(from.utf8, to.utf8)
        return text.compactMap { byte in
            // The padding is not written.
            byte == UInt8(ascii: "=") ? nil : pairs.first { $0.0 == byte }?.1 ?? byte
        }
    }
}
