/// The ID of a trip, vehicle, delivery vehicle, task or shipment: checked once, and never anything else.
///
/// Google's rule (`GMTDFleetEngineIDString`) is valid UTF-8 in NFC, at most 64 characters, none of `/ : ? , #`. This
/// type is stricter. Whatever could act as a wildcard, an escape, a path or a line of a log is refused, and nothing is
/// ever trimmed or normalised: what goes into a token is byte for byte what was asked for.
public struct ResourceID: Hashable, Sendable {
    /// Which scalars an ID may have.
    package enum Alphabet: String, Hashable, Sendable {
        /// ASCII letters and digits, and `. _ ~ - @ = + $ ! ( )`.
        case ascii
        /// Those, and letters and decimal digits of other scripts as Unicode 13 has them; no combining marks.
        case unicode
    }

    /// How many scalars an ID may have.
    package static let maximumScalars = 64
    /// How many bytes of UTF-8 an ID may have.
    package static let maximumBytes = 256

    /// The ID as it was given.
    ///
    /// It is in NFC: two IDs are equal exactly when their bytes are.
    public let rawValue: String

    /// Creates an ID from 1 to 64 letters and digits, of any script, and `. _ ~ - @ = + $ ! ( )`; no combining marks.
    ///
    /// A token server may allow less, such as ASCII alone, which `tokend` does unless it is told otherwise. It then answers
    /// with the reason `INVALID_ID` and says what it allows.
    ///
    /// - Throws: ``TokenRequestError`` with reason ``TokenRequestError/Reason-swift.struct/invalidID``; its message says which rule
    ///   was broken and does not repeat the ID.
    public init(_ rawValue: String) throws(TokenRequestError) {
        try self.init(rawValue, alphabet: .unicode)
    }

    /// Creates an ID whose scalars belong to an alphabet.
    package init(_ rawValue: String, alphabet: Alphabet) throws(TokenRequestError) {
        // The bound on bytes comes first: walking the scalars of a long string is what it saves.
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
    /// It is no secret, but it is personal data: logs leave it out.
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

    /// Whether a scalar is a letter or decimal digit that stays as it is in NFC, whatever stands before it.
    ///
    /// A string changes under NFC only through a scalar that the composition excludes, or through one that may compose
    /// with what precedes it (Unicode UAX #15, section 9). Up to Unicode 13 all of the latter are marks, which are no
    /// letters, or Hangul vowels and final consonants. So this needs no normaliser, which the standard library doesn't
    /// have. Unicode 16 has letters that compose; strings of older ones never change.
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
