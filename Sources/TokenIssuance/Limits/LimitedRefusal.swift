package import FleetToken

/// A refusal past a limit: it is counted, but not recorded individually.
package struct LimitedRefusal: Error, Hashable {
    /// The response to the caller.
    package let refusal: TokenError
}
