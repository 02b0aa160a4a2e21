import ExpiringCache
import FleetToken

/// Which tokens the SDKs were given, so that a report that names only an ID is about one of them.
final class Handouts: Sendable {
    private struct Handout: Sendable {
        let token: Token
        /// When it was first given, by the continuous clock.
        let since: Int64
        /// Whether the one before it was reported.
        let isReplacement: Bool
        var wasReported = false
    }

    /// What a report is about.
    enum Report {
        /// This token.
        case rejected(Token)
        /// The token before the last one: what the SDK sent with it is answered only now.
        case late
        /// A token that isn't known: the SDK was given none, or it was long ago.
        case unknown
    }

    /// For how many seconds after a rejected token was replaced reports are about the rejected one.
    ///
    /// They can't tell which of them they mean. A replacement that is rejected as well is reported again, and an app that
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

    /// Takes in that the SDK reported a scope's token.
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
