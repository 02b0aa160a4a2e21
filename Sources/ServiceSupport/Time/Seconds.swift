/// A time span in seconds, like Foundation's `TimeInterval`.
///
/// As a parameter, a negative number and not-a-number count as zero, and `.infinity` means no limit.
public typealias Seconds = Double

extension Int64 {
    /// About 36 years in nanoseconds: longer than any value is kept, and safe to add to any clock's reading.
    public static let longestSpan: Int64 = 1 << 60

    /// Creates a time span in nanoseconds, between zero and ``longestSpan``.
    @inlinable
    public init(nanosecondsIn seconds: Seconds) {
        let nanoseconds = seconds * 1e9
        // Not-a-number is not greater than zero.
        guard nanoseconds > 0 else {
            self = 0
            return
        }
        self = nanoseconds < Double(Self.longestSpan) ? Int64(nanoseconds) : Self.longestSpan
    }

    /// This many nanoseconds, in seconds.
    public var seconds: Seconds { Double(self) / 1e9 }
}
