package import FleetToken

/// A refusal past a limit: it was counted, and leaves no line of its own in the trail and the log.
package struct LimitedRefusal: Error, Hashable {
    /// What the caller is told.
    package let refusal: TokenError
}
