package import FleetToken
package import ServiceSupport
import Synchronization

/// Reuses a token for a short time, so that many equal requests cost one signature.
///
/// Requests are equal if the scope and the requested lifetime are equal, byte by byte. It stores no caller: authorize and
/// record each issue separately.
///
/// A minter that replaces this one after a reload takes over the tokens if its keys are the same.
package final class ReusingMinter: Sendable {
    /// For how many seconds a token is reused: two of Google's clients request one every ten seconds.
    ///
    /// More than 3,300 seconds of the usual 3,540 remain then, which Google's samples for the web assume.
    package static let seconds: Int64 = 240
    /// How many tokens are kept: with their keys and all else about 1.5 KiB each.
    package static let capacity = 16_384

    private struct Key: Hashable, Sendable {
        let scope: TokenScope
        let lifetime: TokenLifetime
    }

    private struct Kept: Sendable {
        let token: MintedToken
        /// When minting started, by the clock that only goes forward and by the time of day.
        let start: (monotonic: Int64, wall: NumericDate)
    }

    private struct State {
        /// The kept tokens; when they reach the capacity, all are forgotten.
        var tokens: [Key: Kept] = [:]
        /// The second of the last new token, and the number of the last one of each key in it.
        private var second: NumericDate?
        private var numbers: [Key: Int64] = [:]

        /// Returns the number of the next new token of a key; nil if there were too many within this second.
        ///
        /// A signature with RSA depends on nothing but the claims, so a token that is minted again within a second is the
        /// same: a caller who reports a rejected token would get it back. Token 0 is the one that may be reused.
        mutating func newNumber(_ key: Key, at now: NumericDate) -> Int64? {
            if second != now { (second, numbers) = (now, [:]) }
            let number = (numbers[key] ?? 0) + 1
            guard number < FleetClaims.backdating else { return nil }
            numbers[key] = number
            return number
        }
    }

    /// The state, which minters with the same keys share.
    private final class Store: Sendable {
        let state = Mutex(State())
    }

    package let minter: TokenMinter
    private let capacity: Int
    private let clock: ServiceClock
    private let store: Store

    /// Creates a minter that reuses the tokens of another one.
    ///
    /// - Parameters:
    ///   - minter: Mints the tokens.
    ///   - capacity: How many tokens are kept.
    ///   - clock: The time.
    ///   - previous: The minter that was in use before a reload.
    package init(
        _ minter: TokenMinter,
        capacity: Int = ReusingMinter.capacity,
        clock: ServiceClock,
        replacing previous: ReusingMinter? = nil
    ) {
        self.minter = minter
        self.capacity = capacity
        self.clock = clock
        if let previous, previous.minter.hasSameKeys(as: minter) {
            store = previous.store
        } else {
            store = Store()
        }
    }

    /// Returns a token: a kept or a new one.
    ///
    /// Without `allowsReuse`, a new token takes the place of the kept one; it differs from all tokens that this minter made
    /// before, unless the clock was set back. `lifetime` counts from the minting.
    ///
    /// - Returns: The token, and whether it was issued before.
    /// - Throws: As ``TokenMinter/mint(_:lifetime:for:now:number:)`` does, and ``TokenError`` if 59 new tokens of a scope were
    ///   minted within a second.
    package func token(
        for scope: TokenScope,
        lifetime: TokenLifetime = .default,
        for caller: String? = nil,
        allowsReuse: Bool = true
    ) async throws -> (token: MintedToken, isReused: Bool) {
        let key = Key(scope: scope, lifetime: lifetime)
        if allowsReuse, scope.isSmall, let token = keptToken(key) { return (token, true) }
        let start = clock.monotonic
        let (now, number) = allowsReuse ? (clock.now, 0) : try newNumber(key)
        let token = try await minter.mint(scope, lifetime: lifetime, for: caller, now: now, number: number)
        if scope.isSmall { keep(Kept(token: token, start: (start, now)), for: key) }
        return (token, false)
    }

    private func keptToken(_ key: Key) -> MintedToken? {
        store.state.withLock { $0.tokens[key] }.flatMap { isYoung($0) ? $0.token : nil }
    }

    /// Keeps a token, unless a newer one is kept.
    private func keep(_ kept: Kept, for key: Key) {
        let forgotten = store.state.withLock { state in
            let known = state.tokens[key]
            if let known, known.start.monotonic > kept.start.monotonic { return [Key: Kept]() }
            let hasRoom = known != nil || state.tokens.count < capacity
            let forgotten = hasRoom ? [:] : exchange(&state.tokens, with: [:])
            state.tokens[key] = kept
            return forgotten
        }
        // Freed outside the lock, for which all requests wait.
        _ = consume forgotten
    }

    /// Returns whether a token is young by both clocks, and not dated in the future after a clock change.
    private func isYoung(_ kept: Kept) -> Bool {
        let elapsed = clock.monotonic - kept.start.monotonic
        return elapsed < Self.seconds * 1_000_000_000 && (0..<Self.seconds).contains(clock.now - kept.start.wall)
    }

    /// Returns the time and the number of a new token.
    private func newNumber(_ key: Key) throws(TokenError) -> (now: NumericDate, number: Int64) {
        let (now, number) = store.state.withLock { state in
            // Read here: a task with the time of an earlier second would begin its numbers again.
            let now = clock.now
            return (now, state.newNumber(key, at: now))
        }
        if let number { return (now, number) }
        throw TokenError(.rateLimited, "Too many new tokens of this scope within a second. Retry later.", retryAfter: 1)
    }
}

extension TokenScope {
    /// Whether its token is no larger than usual; a batch has up to fifty IDs, and is requested once.
    fileprivate var isSmall: Bool {
        if case .batch = resources { false } else { true }
    }
}
