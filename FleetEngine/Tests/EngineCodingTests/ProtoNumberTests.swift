import EngineCoding
import Testing

struct ProtoNumberTests {
    @Test(arguments: ["0": 0.0, "-1.5": -1.5, "90.0": 90, "1e2": 100, "2.5E-1": 0.25, "-0": 0])
    func `A number is parsed with its fraction and exponent`(text: String, number: Double) {
        #expect(ProtoNumber.parse(text) == number)
    }

    @Test(arguments: ["", " 1", "1 ", "0x10", "NaN", "inf", "Infinity", "1e999", "one", "1_000"])
    func `A text that is no finite decimal number is refused`(text: String) {
        #expect(ProtoNumber.parse(text) == nil)
    }
}
