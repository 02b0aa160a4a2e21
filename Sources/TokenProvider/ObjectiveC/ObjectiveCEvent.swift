import FleetToken
public import Foundation

/// An event of a token provider, for logs and metrics; in Objective-C its name is `FTTokenEvent`.
///
/// It contains neither a token nor an ID. In Swift, use ``TokenProviderEvent``.
#if canImport(ObjectiveC)
@objc(FTTokenEvent) @objcMembers
#endif
public final class ObjectiveCEvent: NSObject, Sendable {
    /// The name, such as `fetchFinished`: a ``TokenProviderEvent/Name-swift.struct``.
    public let name: String
    /// The kind of token, such as `driver`; nil for an event that concerns all tokens.
    public let kind: String?
    /// The reason for the fetch: a ``TokenFetchReason``; nil for other events.
    public let reason: String?
    /// The duration of a fetch, in seconds; zero for other events.
    public let duration: TimeInterval
    /// The error of a failed fetch; nil for a successful one.
    public let error: (any Error)?

    init(_ event: TokenProviderEvent) {
        name = event.name.description
        kind = event.scope?.kind.rawValue
        reason = event.reason?.description
        duration = event.duration ?? 0
        error = event.error?.nsError
    }
}
