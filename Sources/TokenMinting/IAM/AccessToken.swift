import FleetToken
import ServiceSupport

/// An access token for Google's APIs.
struct AccessToken: Sendable {
    /// How long before it expires a token counts as expired.
    private static let margin = Duration.seconds(30)
    /// How long before that it is replaced: the metadata server returns the same token until five minutes before it expires.
    private static let refreshAhead = Duration.seconds(240)

    let token: Secret
    /// How long it is valid after its request began.
    let lifetime: Duration

    /// The token as a value that is fetched again in time, if a part of its lifetime has passed.
    func fresh(aged age: Duration = .zero) -> Fresh<Secret> {
        let usable = max(lifetime - age, .zero)
        let good = usable - min(Self.margin, usable / 2)
        return Fresh(token, lifetime: good, refreshAfter: good - min(Self.refreshAhead, good / 5))
    }
}
