/// A JSON value that ``JSONParser`` returns.
///
/// Strings and names are compared byte by byte; Swift's `String` treats `é` and `e` with a combining accent as equal.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits in 64 bits.
    case integer(Int64)
    /// Any other number, as it was written, without rounding. ``JSONWriter`` writes the text unchecked.
    case decimal(String)
    /// A string, with its escapes resolved.
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// Compares type and content, byte by byte.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.decimal(let lhs), .decimal(let rhs)): lhs == rhs
        case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.object(let lhs), .object(let rhs)): lhs == rhs
        default: false
        }
    }
}

extension JSONValue {
    /// The string, if the value is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, if the value is an integer; `1.0` and `1e3` are not.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The Boolean, if the value is a Boolean.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, if the value is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, if the value is an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONValue {
    /// Creates an object from members with unique names.
    package init(members: [(name: String, value: JSONValue)]) {
        var object = JSONObject()
        for member in members { object.append(new: .init(member.name, member.value)) }
        self = .object(object)
    }
}
