/// The validated ID of a trip, vehicle, delivery vehicle, task or shipment.
///
/// Google's rule (`GMTDFleetEngineIDString`) is valid UTF-8 in NFC, at most 64 characters, none of `/ : ? , #`. This
/// type is stricter: anything that could act as a wildcard, an escape, a path or a log line is refused. Nothing is
/// trimmed or normalized: the token contains the ID byte for byte as requested.
public struct ResourceID: Hashable, Sendable {
    /// The scalars that an ID may contain.
    package enum Alphabet: String, CaseIterable, Hashable, Sendable {
        /// ASCII letters and digits, and `. _ ~ - @ = + $ ! ( )`.
        case ascii
        /// The ASCII characters, and letters and decimal digits of other scripts as of Unicode 13; no combining marks.
        case unicode
    }

    package static let maximumScalars = 64
    package static let maximumBytes = 256

    /// The ID as it was given.
    ///
    /// It is in NFC: two IDs are equal exactly when their bytes are.
    public let rawValue: String

    /// Creates an ID from 1 to 64 letters and digits, of any script, and `. _ ~ - @ = + $ ! ( )`; no combining marks.
    ///
    /// A token server may allow less, such as ASCII alone, which is the default of `tokend`. It then responds with the
    /// reason `INVALID_ID` and a message that says what it allows.
    ///
    /// - Throws: ``TokenError``, whose message names the rule that was broken and does not repeat the ID.
    public init(_ rawValue: String) throws(TokenError) {
        try self.init(rawValue, alphabet: .unicode)
    }

    /// Creates an ID whose scalars belong to an alphabet.
    package init(_ rawValue: String, alphabet: Alphabet) throws(TokenError) {
        // The limit on bytes is checked first, because it avoids iterating over the scalars of a long string.
        guard rawValue.utf8.count <= Self.maximumBytes, rawValue.unicodeScalars.count <= Self.maximumScalars else {
            throw .invalidID("It is longer than 64 characters.")
        }
        guard !rawValue.utf8.isEmpty else { throw .invalidID("It is empty.") }
        guard rawValue != ".", rawValue != ".." else { throw .invalidID("`.` and `..` are not allowed.") }
        for scalar in rawValue.unicodeScalars where !Self.allows(scalar, in: alphabet) {
            throw .invalidID(Self.allowed(in: alphabet))
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
    private static func allows(_ scalar: Unicode.Scalar, in alphabet: Alphabet) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "~", "-", "@", "=", "+", "$", "!", "(", ")": true
        case _ where scalar.isASCII: false
        default: alphabet == .unicode && isLetterOrDigitInNFC(scalar)
        }
    }

    /// Returns whether a scalar is a letter or decimal digit that NFC never changes, regardless of the preceding
    /// scalars.
    ///
    /// A string changes under NFC only through a scalar that the composition excludes, or through a scalar that may
    /// compose with the preceding one (Unicode UAX #15, section 9). Up to Unicode 13 all of the latter are marks, which
    /// are not letters, or Hangul vowels and final consonants. So no normalizer is needed, which the standard library
    /// lacks. Unicode 16 has letters that compose; strings of older letters never change.
    private static func isLetterOrDigitInNFC(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard let age = properties.age, age.major <= 13 else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: break
        default: return false
        }
        let isConjoiningHangul = (0x1161...0x1175).contains(scalar.value) || (0x11A8...0x11C2).contains(scalar.value)
        return !isConjoiningHangul && !properties.isFullCompositionExclusion && !properties.isDefaultIgnorableCodePoint
    }

    private static func allowed(in alphabet: Alphabet) -> String {
        switch alphabet {
        case .ascii: "Use ASCII letters and digits and . _ ~ - @ = + $ ! ( ) only."
        case .unicode: "Use letters and digits, without combining marks, and . _ ~ - @ = + $ ! ( ) only."
        }
    }
}
