import ExpiringCache
import FleetToken

/// The tokens that the SDKs received, to find the token for a report that names only an ID.
final class Handouts: Sendable {
    private struct Handout: Sendable {
        let token: Token
        /// When the SDK first received it, by the continuous clock.
        let since: Int64
        /// Whether the previous token was reported.
        let isReplacement: Bool
        var wasReported = false
    }

    /// The token that a report concerns.
    enum Report {
        /// This token.
        case rejected(Token)
        /// The token before the last: the response to a request with it arrived only now.
        case late
        /// No known token: the SDK received none, or it was long ago.
        case unknown
    }

    /// The number of seconds after the replacement of a rejected token during which reports concern the rejected token.
    ///
    /// A report doesn't say which of the two it concerns. A replacement that is rejected as well is reported again, and
    /// an app that rejects each token immediately pauses for this time instead of sending requests to the server.
    /// would reject each token at once pauses by this instead of asking the server.
    static let grace: Seconds = 5

    private let table: Lock<ClockTable<TokenScope, Handout>>
    private let clock: CacheClock

    init(capacity: Int, clock: CacheClock) {
        self.clock = clock
        table = Lock(ClockTable(capacity: capacity))
    }

    func note(_ token: Token) {
        let scope = token.scope
        let now = clock.continuous()
        table.withLock { table in
            let last = table.take(scope)
            guard last?.token != token else { return }
            let handout = Handout(token: token, since: now, isReplacement: last?.wasReported ?? false)
            _ = table.set(handout, for: scope) { _, _ in .ordinary }
        }
    }

    /// Records that the SDK reported a scope's token.
    func report(_ scope: TokenScope) -> Report {
        let now = clock.continuous()
        return table.withLock { table in
            guard var handout = table.take(scope) else { return .unknown }
            let isYoung = Double(now - handout.since) < Self.grace * 1e9
            guard !(handout.isReplacement && isYoung) else { return .late }
            handout.wasReported = true
            _ = table.set(handout, for: scope) { _, _ in .ordinary }
            return .rejected(handout.token)
        }
    }
}
