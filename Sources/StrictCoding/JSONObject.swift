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
    /// An index that lets `append` find duplicates without comparing all names, for objects with many members.
    private var taken: Set<[UInt8]> = []

    /// The maximum number of names to compare one by one.
    private static let few = 16

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
        if members.count < Self.few {
            guard self[member.name] == nil else { return false }
        } else {
            if taken.isEmpty { taken = Set(members.map { Array($0.name.utf8) }) }
            guard taken.insert(Array(member.name.utf8)).inserted else { return false }
        }
        if members.isEmpty { members.reserveCapacity(Self.leastCapacity) }
        members.append(member)
        return true
    }

    /// Frees the memory that only `append` needs; objects are kept for longer than they are built.
    mutating func compact() {
        taken = []
    }

    /// Compares the members.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.members == rhs.members
    }

    /// Hashes the members.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}
