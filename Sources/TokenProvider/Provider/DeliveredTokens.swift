import ExpiringCache
import FleetToken
import Timing

/// The tokens that the SDKs received, to find the token for a report that names only an ID.
final class DeliveredTokens: Sendable {
    private struct Delivery: Sendable {
        let token: Token
        /// When the SDK first received it, by the continuous clock.
        let since: Int64
        /// Whether the previous token was reported.
        let isReplacement: Bool
        var wasReported = false
    }

    private struct State: Sendable {
        var table: ClockTable<TokenScope, Delivery>
        var generation = 0
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
    /// A report doesn't say which of the two it concerns. A replacement that is rejected as well is reported again, so an
    /// app that rejects each token immediately pauses for this time instead of sending requests to the server.
    static let grace: Seconds = 5

    private let state: Lock<State>
    private let clock: AgeClock

    /// Creates an empty table; a device follows one or two trips and drives one vehicle.
    init(capacity: Int = 1_000, clock: AgeClock) {
        self.clock = clock
        state = Lock(State(table: ClockTable(capacity: capacity)))
    }

    /// The number of removals: a token that was requested before a removal is not noted after it.
    var generation: Int { state.withLock { $0.generation } }

    /// The number of tokens.
    var count: Int { state.withLock { $0.table.count } }

    func note(_ token: Token, _ generation: Int) {
        let scope = token.scope
        let now = clock.continuous()
        state.withLock { state in
            let last = state.table.take(scope)
            guard state.generation == generation, last?.token != token else { return }
            let delivery = Delivery(token: token, since: now, isReplacement: last?.wasReported ?? false)
            _ = state.table.set(delivery, for: scope) { _, _ in .ordinary }
        }
    }

    /// Records that the SDK reported a scope's token.
    func report(_ scope: TokenScope) -> Report {
        let now = clock.continuous()
        return state.withLock { state in
            guard var delivery = state.table.take(scope) else { return .unknown }
            let isYoung = Double(now - delivery.since) < Self.grace * 1e9
            guard !(delivery.isReplacement && isYoung) else { return .late }
            delivery.wasReported = true
            _ = state.table.set(delivery, for: scope) { _, _ in .ordinary }
            return .rejected(delivery.token)
        }
    }

    /// Removes a scope's token, such as that of a trip that has ended.
    func remove(_ scope: TokenScope) {
        state.withLock { state in
            state.table.remove(scope)
            state.generation += 1
        }
    }

    /// Removes all tokens: their user has signed out.
    func removeAll() {
        // The tokens are released outside the lock.
        _ = state.withLock { state in
            state.generation += 1
            return state.table.removeAll()
        }
    }
}
