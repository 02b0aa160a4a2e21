/// A JSON object: members in the order they were written, each name once.
///
/// Names are compared byte by byte. Swift's `String` would hold `é` and `e` with a combining accent to be the same name.
public struct JSONObject: Sendable, Hashable {
    /// One name and its value.
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

        /// Equality of the name's bytes and of the values.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.name.utf8.elementsEqual(rhs.name.utf8) && lhs.value == rhs.value
        }
    }

    /// The members in the order they were written; objects with another order are not equal.
    public private(set) var members: [Member] = []
    /// An index that spares `append` comparing each name with all others, if there are many.
    private var taken: Set<[UInt8]> = []

    /// How many names are compared one by one.
    private static let few = 16

    /// Creates an empty object.
    public init() {}

    /// The names in the order they were written.
    public var names: [String] { members.map(\.name) }

    /// The value of a name, or nil when there is none.
    public subscript(name: String) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Adds a member.
    ///
    /// - Returns: Whether it was added; a name that is there already is not.
    public mutating func append(_ member: Member) -> Bool {
        if members.count < Self.few {
            guard self[member.name] == nil else { return false }
        } else {
            if taken.isEmpty { taken = Set(members.map { Array($0.name.utf8) }) }
            guard taken.insert(Array(member.name.utf8)).inserted else { return false }
        }
        members.append(member)
        return true
    }

    /// Gives back the room that only `append` needs; objects are kept for longer than they are built.
    mutating func compact() {
        taken = []
    }

    /// Equality of the members.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.members == rhs.members
    }

    /// Hashes the members.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}
