import StrictCoding
import Testing

@Suite struct ASCIITests {
    @Test(arguments: [0, 1, 9, 10, 35, 36, 1_295, 1_296, UInt64(Int64.max), .max - 1, .max])
    func numbersAreAppendedAsStringsHaveThem(number: UInt64) {
        var bytes = Array("x".utf8)
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == "x\(number)")
    }

    @Test(arguments: [Int64.min, -10, -1, 0, 1, .max])
    func integersAreAppendedWithTheirSign(number: Int64) {
        var bytes: [UInt8] = []
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
    }
}
