import Foundation

/// The unit of a token's expiry in a response; in Objective-C its name is `FTExpiryUnit`.
///
/// Units may be added.
#if canImport(ObjectiveC)
@objc(FTExpiryUnit)
#endif
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TokenExpiryUnit: Int, Sendable {
    /// Seconds from the time of the response.
    case secondsFromNow
    /// Seconds since 1970-01-01T00:00:00Z.
    case secondsSince1970
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case millisecondsSince1970
}
