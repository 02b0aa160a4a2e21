import StrictCoding

/// A name in the configuration, equal to another one of the same bytes only.
///
/// Strings are equal under canonical equivalence, such as the Kelvin sign and K.
struct ConfigurationName: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ name: String) {
        description = name
    }

    static func == (one: Self, other: Self) -> Bool {
        one.description.hasSameBytes(as: other.description)
    }

    func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }
}
