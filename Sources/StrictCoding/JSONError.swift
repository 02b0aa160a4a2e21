/// Why bytes are not the JSON that ``JSONParser`` accepts.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// The text ends too early, or has something where it may not be.
        case syntax
        /// The value is not an object, where one was asked for.
        case notAnObject
        /// An object names a member twice.
        case duplicateName
        /// Arrays and objects are nested too deeply.
        case tooDeep
        /// A byte sequence that is not UTF-8, or an escaped half of a surrogate pair.
        case notUnicode
        /// A number has more characters than the parser takes.
        case tooLarge
        /// There are more values than the parser was told to take.
        case tooMany
    }

    /// What is wrong.
    public let code: Code
    /// Where: the number of bytes before it.
    public let offset: Int

    /// What is wrong and where, without the text itself.
    public var description: String {
        let what =
            switch code {
            case .syntax: "it is not valid JSON"
            case .notAnObject: "it is not a JSON object"
            case .duplicateName: "an object names a member twice"
            case .tooDeep: "it is nested too deeply"
            case .notUnicode: "a string is not valid Unicode"
            case .tooLarge: "a number is too long"
            case .tooMany: "it has too many values"
            }
        return "\(what) (at byte \(offset))"
    }
}
