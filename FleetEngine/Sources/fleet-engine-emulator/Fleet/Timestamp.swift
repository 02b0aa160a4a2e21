import SwiftProtobuf

typealias Timestamp = Google_Protobuf_Timestamp

extension Timestamp {
    /// Creates a time from nanoseconds since 1970.
    init(nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(seconds: rest < 0 ? seconds - 1 : seconds, nanos: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }

    /// The time in nanoseconds since 1970; a time that does not fit is the nearest that does.
    var nanosecondsSince1970: Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(Int64(nanos))
        return carried ? (nanos < 0 ? .min : .max) : sum
    }

    /// The time in seconds since 1970.
    var inSeconds: Double { Double(seconds) + Double(nanos) / 1e9 }

    /// Returns the time some seconds later; a time that does not fit is the nearest that does.
    func adding(_ seconds: Double) -> Self {
        Self(nanoseconds: nanosecondsSince1970.adding(Int64(nearest: seconds * 1e9)))
    }

    /// Returns how much later it is than another, in seconds.
    func seconds(since other: Self) -> Double {
        let (one, two) = (nanosecondsSince1970, other.nanosecondsSince1970)
        let (difference, overflow) = one.subtractingReportingOverflow(two)
        return (overflow ? Double(one) - Double(two) : Double(difference)) / 1e9
    }

    /// Returns the version of a change: this time, or just after the previous version where the clock has not moved.
    ///
    /// In whole microseconds, which every client's type for a time can hold.
    func version(after previous: Self?) -> Self {
        let time = nanosecondsSince1970 / 1000 * 1000
        return Self(nanoseconds: max(time, previous.map { $0.nanosecondsSince1970.adding(1000) } ?? time))
    }
}

extension Google_Protobuf_Duration {
    /// Creates a duration from seconds; one that does not fit is the nearest that does.
    init(secondsRounded seconds: Double) {
        let nanoseconds = Int64(nearest: seconds * 1e9)
        self.init(seconds: nanoseconds / 1_000_000_000, nanos: Int32(nanoseconds % 1_000_000_000))
    }

    /// The duration in seconds.
    var inSeconds: Double { Double(seconds) + Double(nanos) / 1e9 }
}

extension Int64 {
    /// Creates the integer nearest to a number, towards zero; 0 for NaN.
    init(nearest number: Double) {
        self = number.isNaN ? 0 : number >= 0x1p63 ? .max : number <= -0x1p63 ? .min : Int64(number)
    }

    /// Returns the sum; one that does not fit is the nearest that does.
    fileprivate func adding(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
