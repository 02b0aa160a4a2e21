/// The reason why a text is not base64url.
public enum Base64URLError: Error, Equatable, CustomStringConvertible {
    /// The text contains a byte outside `A-Z a-z 0-9 - _`, such as padding or white space.
    case outsideAlphabet
    /// No bytes have an encoding of this length.
    case impossibleLength
    /// The last character has bits that belong to no byte.
    case trailingBits

    /// The problem, without the text itself.
    public var description: String {
        switch self {
        case .outsideAlphabet: "it has a character outside A-Z a-z 0-9 - _ (padding and white space are not allowed)"
        case .impossibleLength: "its length is invalid: it was cut off or has an extra character"
        case .trailingBits: "its last character has unused bits that are not zero"
        }
    }
}
