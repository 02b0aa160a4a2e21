/// The reason why bytes are not JSON that ``JSONParser`` accepts.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem.
    public enum Code: Hashable, Sendable {
        /// The text ends too early, or contains a character that is not allowed at this position.
        case syntax
        case notAnObject
        /// An object has a duplicate member name.
        case duplicateName
        /// Arrays and objects are nested too deeply.
        case tooDeep
        /// The text contains a byte sequence that is not UTF-8, or an escaped half of a surrogate pair.
        case notUnicode
        /// A number has more characters than the parser accepts.
        case tooLarge
        /// The text contains more values than the limit.
        case tooMany
    }

    /// The problem.
    public let code: Code
    /// The position of the problem: the number of bytes before it.
    public let offset: Int

    /// The problem and its position, without the text itself.
    public var description: String {
        let what =
            switch code {
            case .syntax: "it is not valid JSON"
            case .notAnObject: "it is not a JSON object"
            case .duplicateName: "an object has a duplicate member"
            case .tooDeep: "it is nested too deeply"
            case .notUnicode: "a string is not valid Unicode"
            case .tooLarge: "a number is too long"
            case .tooMany: "it has too many values"
            }
        return "\(what) (at byte \(offset))"
    }
}
