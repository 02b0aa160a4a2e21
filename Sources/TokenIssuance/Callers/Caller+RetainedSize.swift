import StrictCoding

extension Caller {
    /// The approximate retained memory in bytes, never much less than actual: containers count too.
    var retainedSize: Int { 512 + 2 * subject.utf8.count + JSONValue.object(claims).retainedSize }
}

extension JSONValue {
    /// The size of a value in an array or, with its name, in an object, plus the heap's overhead for each allocation.
    private static let overhead = 64

    /// The size of an array of members, which has room for some even if there is only one.
    private static func room(for members: Int) -> Int {
        max(JSONObject.leastCapacity, members) * MemoryLayout<JSONObject.Member>.stride
    }

    fileprivate var retainedSize: Int {
        switch self {
        case .null, .bool, .integer: Self.overhead
        case .decimal(let text), .string(let text): Self.overhead + text.utf8.count
        case .array(let elements): elements.reduce(Self.overhead) { $0 + $1.retainedSize }
        case .object(let object):
            object.members.reduce(Self.overhead + Self.room(for: object.members.count)) {
                $0 + Self.overhead + $1.name.utf8.count + $1.value.retainedSize
            }
        }
    }
}
