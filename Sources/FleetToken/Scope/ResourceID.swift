#if canImport(Darwin)
import Foundation
#endif

/// The validated ID of a trip, vehicle, delivery vehicle, task or shipment.
///
/// An ID follows Google's rule (`GMTDFleetEngineIDString`): 1 to 64 characters in Unicode Normalization Form C (NFC), none of
/// them `/ : ? , #`. Spaces, `&`, combining marks and letters of all scripts are valid. Beyond that rule, an ID contains
/// nothing that acts as a wildcard, a path, an escape or a line of a log: see ``init(_:)``.
///
/// Nothing is trimmed or normalized. A token contains the ID byte for byte as requested.
public struct ResourceID: Hashable, Sendable {
    package static let maximumScalars = 64
    package static let maximumBytes = 256

    /// The ID as it was given.
    ///
    /// It is in NFC: two IDs are equal exactly when their bytes are.
    public let rawValue: String

    /// Creates an ID by checking a text.
    ///
    /// Beyond Google's rule, these are refused:
    /// - `*` and `\`, and characters that look like `*` or `/`
    /// - percent escapes, such as `%2A`
    /// - control, format, private and unassigned characters, and others that are invisible
    /// - `.`, `..`, and a space at the beginning or the end, which a component may trim
    ///
    /// - Throws: ``TokenError``, whose message names the rule that was broken and does not repeat the ID.
    public init(_ rawValue: String) throws(TokenError) {
        // The limit on bytes is checked first, because it avoids iterating over the scalars of a long string.
        guard rawValue.utf8.count <= Self.maximumBytes, rawValue.unicodeScalars.count <= Self.maximumScalars else {
            throw .invalidID("It is longer than 64 characters.")
        }
        guard !rawValue.utf8.isEmpty else { throw .invalidID("It is empty.") }
        guard rawValue != ".", rawValue != ".." else { throw .invalidID("`.` and `..` are not allowed.") }
        guard !Self.hasOuterSpace(rawValue.unicodeScalars) else { throw .invalidID("Remove the space at its end.") }
        guard rawValue.unicodeScalars.allSatisfy(Self.allows), !Self.hasEscape(rawValue.utf8) else {
            throw .invalidID(#"Use none of / : ? , # * \, no percent escapes and no invisible characters."#)
        }
        guard Self.isNormalized(rawValue) else {
            throw .invalidID("Use Unicode Normalization Form C (NFC).")
        }
        self.rawValue = rawValue
    }
}

extension ResourceID: CustomStringConvertible {
    /// The ID as it was given.
    ///
    /// It is not secret, but it is personal data: logs omit it.
    public var description: String { rawValue }
}

extension ResourceID {
    /// Scalars that a person, or a program that normalizes, takes for a wildcard or a separator, and the one that stands for
    /// text that was lost.
    private static let deceptive: Set<Unicode.Scalar> = [
        "\u{FF0A}", "\u{FE61}", "\u{2217}", "\u{204E}", "\u{FF0F}", "\u{2215}", "\u{2044}", "\u{FFFD}",
    ]

    /// Returns whether an ID may contain a scalar.
    package static func allows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", ":", "?", ",", "#", "*", "\\": false
        case " "..."~": true
        default: !scalar.isInvisible && !deceptive.contains(scalar)
        }
    }

    /// Returns whether a text is in Normalization Form C.
    package static func isNormalized(_ text: String) -> Bool {
        #if canImport(Darwin)
        text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
        #else
        var span = text.utf8Span
        return span.checkForNFC(quickCheck: false)
        #endif
    }

    private static func hasOuterSpace(_ text: String.UnicodeScalarView) -> Bool {
        [text.first, text.last].contains { $0?.properties.isWhitespace == true }
    }

    /// Returns whether a text contains `%` and two hexadecimal digits: a component that decodes twice reads another ID.
    private static func hasEscape(_ text: String.UTF8View) -> Bool {
        var digits = Int.min
        for byte in text {
            let isHexadecimal = byte.isASCIIDigit || (0x61...0x66).contains(byte | 0x20)
            digits = byte == UInt8(ascii: "%") ? 0 : isHexadecimal ? digits + 1 : .min
            if digits == 2 { return true }
        }
        return false
    }
}
