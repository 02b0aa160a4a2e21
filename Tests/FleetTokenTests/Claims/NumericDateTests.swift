import FleetToken
import Testing

struct NumericDateTests {
    private func date(_ seconds: Int64) -> NumericDate { NumericDate(seconds: seconds) }

    @Test
    func `Seconds are added, subtracted and compared`() {
        #expect(date(100) + 20 == date(120))
        #expect(date(100) - 20 == date(80))
        #expect(date(100) - date(120) == -20)
        #expect(date(100) < date(101) && date(-1) < date(0))
        #expect(date(1_795_211_460).milliseconds == 1_795_211_460_000)
        #expect(date(-1).milliseconds == -1000)
    }

    @Test
    func `Arithmetic stops at the limits`() {
        #expect(date(.max) + 1 == date(.max))
        #expect(date(.min) + -1 == date(.min))
        #expect(date(.max) + .min == date(-1))
        #expect(date(.min) - 1 == date(.min))
        #expect(date(.max) - -1 == date(.max))
        #expect(date(0) - .min == date(.max))
        #expect(date(.max) - date(.min) == .max)
        #expect(date(.min) - date(.max) == .min)
        #expect(date(-1) - date(.min) == .max)
        #expect(date(.max).milliseconds == .max)
        #expect(date(.min).milliseconds == .min)
        #expect(date(.max / 1000).milliseconds == .max / 1000 * 1000)
    }
}
