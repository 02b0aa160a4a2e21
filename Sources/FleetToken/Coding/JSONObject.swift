/// A JSON object: members in the order they were written, with unique names.
///
/// Names are compared byte by byte. Swift's `String` treats `é` and `e` with a combining accent as equal.
public struct JSONObject: Sendable, Hashable {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, with its escapes resolved.
        public let name: String
        /// The value.
        public let value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Compares the names byte by byte, and the values.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.name.hasSameBytes(as: rhs.name) && lhs.value == rhs.value
        }
    }

    /// The members in the order they were written; objects with a different order are not equal.
    public private(set) var members: [Member] = []

    /// Creates an empty object.
    public init() {}

    /// The names in the order they were written.
    public var names: [String] { members.map(\.name) }

    /// The value for a name, or nil if there is none.
    public subscript(name: String) -> JSONValue? {
        members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// How many members there is always room for: as many as most objects have, so that growing does not allocate again and
    /// again.
    package static let leastCapacity = 6

    /// Adds a member.
    ///
    /// - Returns: Whether it was added; a duplicate name is not.
    public mutating func append(_ member: Member) -> Bool {
        guard self[member.name] == nil else { return false }
        append(new: member)
        return true
    }

    /// Adds a member whose name no other has.
    mutating func append(new member: Member) {
        if members.isEmpty { members.reserveCapacity(Self.leastCapacity) }
        members.append(member)
    }
}
