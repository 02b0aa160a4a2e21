import StrictCoding

extension JSONValue {
    /// Returns whether two values are equal, byte by byte, except for the order of members.
    func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let object), .object(let other)):
            object.members.count == other.members.count
                && object.members.allSatisfy { other[$0.name]?.isEquivalent(to: $0.value) ?? false }
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isEquivalent(to: $1) }
        case (.string(let text), .string(let other)):
            text.hasSameBytes(as: other)
        default:
            self == other
        }
    }
}
