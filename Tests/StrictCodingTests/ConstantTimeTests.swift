import Testing

@testable import StrictCoding

@Suite("Comparison in constant time")
struct ConstantTimeTests {
    /// Whatever the other bytes are, and however many follow.
    @Test("Bytes that differ in one bit are not equal", arguments: [1, 2, 31, 32, 33, 64])
    func bits(count: Int) {
        for filler in [0x00, 0xFF, 0x5A] as [UInt8] {
            let bytes = [UInt8](repeating: filler, count: count)
            #expect(ConstantTime.areEqual(bytes, bytes))
            for index in bytes.indices {
                for bit in 0..<8 {
                    var other = bytes
                    other[index] ^= 1 << bit
                    #expect(!ConstantTime.areEqual(bytes, other))
                    #expect(!ConstantTime.areEqual(other, bytes))
                }
            }
        }
    }

    @Test("Bytes of different lengths are not equal")
    func lengths() {
        #expect(ConstantTime.areEqual([], []))
        #expect(!ConstantTime.areEqual([0], []))
        #expect(!ConstantTime.areEqual([], [0]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 3]))
    }
}
