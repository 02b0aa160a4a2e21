/// Comparisons whose duration does not reveal how much of a guess is right.
package enum ConstantTime {
    /// Returns whether bytes are equal, in a time that depends only on their numbers.
    package static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        // Not `reduce(0) { $0 | $1.0 ^ $1.1 }`: both operators have the same precedence in Swift, and a later byte would
        // hide the difference of an earlier one.
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }

    /// Returns whether bytes are equal, in a time that depends only on their numbers.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.withUnsafeBytes { one in other.withUnsafeBytes { areEqual(one, $0) } }
    }
}
