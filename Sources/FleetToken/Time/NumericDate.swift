#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A point in time as JWTs represent it: whole seconds since 1970 (RFC 7519 section 2).
///
/// Arithmetic saturates at the limits of 64 bits and never traps, regardless of the time in a clock or response.
package struct NumericDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, ignoring leap seconds.
    package let seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The system's wall clock, rounded down.
    package static var now: NumericDate {
        NumericDate(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    package var milliseconds: Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .limit(isNegative: seconds < 0) : product
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.seconds < rhs.seconds
    }

    package static func + (lhs: Self, rhs: Int64) -> Self {
        let (sum, overflow) = lhs.seconds.addingReportingOverflow(rhs)
        return Self(seconds: overflow ? .limit(isNegative: rhs < 0) : sum)
    }

    package static func - (lhs: Self, rhs: Int64) -> Self {
        Self(seconds: lhs - Self(seconds: rhs))
    }

    package static func - (lhs: Self, rhs: Self) -> Int64 {
        let (difference, overflow) = lhs.seconds.subtractingReportingOverflow(rhs.seconds)
        return overflow ? .limit(isNegative: lhs.seconds < 0) : difference
    }
}

extension Int64 {
    fileprivate static func limit(isNegative: Bool) -> Self { isNegative ? .min : .max }
}
