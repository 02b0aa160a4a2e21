import FleetToken
import Testing

struct DigitTests {
    @Test
    func `Each byte is written as two digits and read back`() {
        for byte in UInt8.min...UInt8.max {
            let digits = Array(Hexadecimal.text([byte]).utf8)
            #expect(digits.count == 2)
            #expect(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == byte)
            #expect(digits.compactMap(Hexadecimal.value(of:)).reduce(0) { $0 << 4 | $1 } == byte)
        }
    }

    @Test
    func `Only digits have a value`() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(Hexadecimal.value(of: byte).map(Int.init) == (byte < 0x80 ? character.hexDigitValue : nil))
        }
    }

    @Test(
        arguments: [0, 1, 9, 10, 35, 36, 1_295, 1_296, UInt64(Int64.max), .max - 1, .max]
    )
    func `A number has the decimal digits of its description`(number: UInt64) {
        var bytes = Array("x".utf8)
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == "x\(number)")
    }
}
