import FleetToken

/// A validated request for a token: its scope and lifetime.
struct ValidatedRequest: Sendable {
    let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a reused token is acceptable.
    var allowsReuse = true
}
