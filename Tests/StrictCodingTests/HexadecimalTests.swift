import StrictCoding
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Each byte is written as two digits and read back")
    func roundTrip() {
        for byte in UInt8.min...UInt8.max {
            let digits = Array(Hexadecimal.text([byte]).utf8)
            #expect(digits.count == 2)
            #expect(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == byte)
            #expect(digits.compactMap(Hexadecimal.value(of:)).reduce(0) { $0 << 4 | $1 } == byte)
        }
    }

    @Test("Only digits have a value")
    func digits() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(Hexadecimal.value(of: byte).map(Int.init) == (byte < 0x80 ? character.hexDigitValue : nil))
        }
    }
}
