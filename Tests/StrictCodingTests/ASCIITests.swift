import StrictCoding
import Testing

@Suite("Numbers as ASCII digits")
struct ASCIITests {
    @Test(
        "A number has the digits of its description",
        arguments: [0, 1, 9, 10, 35, 36, 1_295, 1_296, UInt64(Int64.max), .max - 1, .max]
    )
    func numbers(number: UInt64) {
        var bytes = Array("x".utf8)
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == "x\(number)")
    }

    @Test("An integer has its sign", arguments: [Int64.min, -10, -1, 0, 1, .max])
    func integers(number: Int64) {
        var bytes: [UInt8] = []
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
    }
}
