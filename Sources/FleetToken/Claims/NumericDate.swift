#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A point in time as JWTs write it: whole seconds since 1970 (RFC 7519 section 2).
public struct NumericDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds ignored.
    public let seconds: Int64

    /// A point in time.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The system's wall clock, rounded down.
    public static var now: NumericDate {
        NumericDate(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    /// Milliseconds since 1970.
    public var milliseconds: Int64 { seconds * 1000 }

    /// Orders by time.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.seconds < rhs.seconds
    }

    /// A later point in time.
    public static func + (lhs: Self, rhs: Int64) -> Self {
        Self(seconds: lhs.seconds + rhs)
    }

    /// An earlier point in time.
    public static func - (lhs: Self, rhs: Int64) -> Self {
        Self(seconds: lhs.seconds - rhs)
    }

    /// The seconds between two points in time.
    public static func - (lhs: Self, rhs: Self) -> Int64 {
        lhs.seconds - rhs.seconds
    }
}
