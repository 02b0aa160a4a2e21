/// Reads digits and separators from a text's bytes.
struct DigitScanner {
    private var bytes: Substring.UTF8View

    init(_ text: String) {
        bytes = Substring(text).utf8
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: separator) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Reads a number with exactly this many digits, or with 1 to 12.
    mutating func number(digits count: Int? = nil) -> Int64? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }.prefix(count ?? 13)
        guard (1...12).contains(digits.count), count == nil || digits.count == count else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Reads an optional fraction, in nanoseconds; nil for a point without one to nine digits.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        let start = bytes.count
        guard var number = number(), start - bytes.count <= 9 else { return nil }
        for _ in 0..<(9 - (start - bytes.count)) { number *= 10 }
        return number
    }

    /// Reads `Z` or an offset from UTC such as `+02:00`, in seconds.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
}
