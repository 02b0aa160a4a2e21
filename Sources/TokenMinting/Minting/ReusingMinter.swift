import ExpiringCache
package import FleetToken
package import ServiceSupport
import Synchronization
import Timing

/// Reuses a token for a short time, so that many equal requests cost one signature.
///
/// Requests are equal if the scope and the requested lifetime are equal, byte by byte. Concurrent
/// equal requests share one signature. It stores no caller: authorize and record each issue separately.
///
/// The cache belongs to this object, so create a new one when keys or configuration change.
package final class ReusingMinter: Sendable {
    /// How many tokens are kept: with their keys and all else about 1.5 KiB each.
    ///
    /// When it is full, tokens that are too old are evicted first, then those that were requested once.
    package static let capacity = 16_384

    private struct Key: Hashable, Sendable {
        let scope: TokenScope
        let lifetime: TokenLifetime
    }

    private struct Kept: Sendable {
        let token: MintedToken
        /// The start of minting.
        let origin: Instant

        /// Returns whether the token is young, and not dated in the future after a clock change.
        func isYoung(_ nanoseconds: Int64, at now: Instant) -> Bool {
            now.age(since: origin) < nanoseconds && !now.isBefore(origin)
        }
    }

    private struct State {
        var kept: ClockTable<Key, Kept>
        /// The tokens that are being signed.
        var flights: [Key: Flight] = [:]
        /// The numbers of the last new tokens of a second.
        private var second: NumericDate?
        private var numbers: [Key: Int64] = [:]

        init(capacity: Int) { kept = ClockTable(capacity: capacity) }

        /// Returns a token that is young enough.
        mutating func take(_ key: Key, youngerThan nanoseconds: Int64, at now: Instant) -> MintedToken? {
            kept.take(key).flatMap { $0.isYoung(nanoseconds, at: now) ? $0.token : nil }
        }

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

    /// A token that is being signed.
    private struct Flight {
        /// The caller whose turn the signature waits for.
        let caller: String?
        /// The other requests that the token is for.
        var waiting: [(caller: String?, continuation: CheckedContinuation<Turn, any Error>)] = []
    }

    /// What a request has to do.
    private enum Turn {
        case reuse(MintedToken)
        case mint
        /// Look again: the request that was minting ended without a result for this one.
        case again
    }

    package let minter: TokenMinter
    private let nanoseconds: Int64
    private let clock: ServiceClock
    private let state: Mutex<State>

    /// Creates a minter that reuses the tokens of another one for some seconds after minting, or none for zero.
    package init(
        _ minter: TokenMinter,
        seconds: Int,
        capacity: Int = ReusingMinter.capacity,
        clock: ServiceClock
    ) {
        self.minter = minter
        nanoseconds = Int64(seconds) * 1_000_000_000
        self.clock = clock
        state = Mutex(State(capacity: capacity))
    }

    /// Returns a token: a cached or a new one.
    ///
    /// Without `allowsReuse`, a new token takes the place of one that is kept or being signed for others; it differs from all
    /// tokens that this minter made before. `lifetime` counts from the minting.
    ///
    /// - Returns: The token, and whether it was issued before.
    /// - Throws: As ``TokenMinter/mint(_:lifetime:for:now:number:)`` does, and ``TokenError`` if 59 new tokens of a scope were
    ///   minted within a second.
    package func token(
        for scope: TokenScope,
        lifetime: TokenLifetime = .default,
        for caller: String? = nil,
        now: NumericDate,
        allowsReuse: Bool = true
    ) async throws -> (token: MintedToken, isReused: Bool) {
        let key = Key(scope: scope, lifetime: lifetime)
        guard allowsReuse, keeps(key) else {
            let number = allowsReuse ? 0 : try newNumber(key, at: now)
            return (try await mint(key, for: caller, at: now, number: number), false)
        }
        let start = clock.cache.now
        if let token = state.withLock({ $0.take(key, youngerThan: nanoseconds, at: start) }) { return (token, true) }
        while true {
            switch try await turn(key, of: caller) {
            case .reuse(let token): return (token, true)
            case .mint: return (try await mint(key, for: caller, at: now, isShared: true), false)
            case .again: try Task.checkCancellation()
            }
        }
    }

    private func newNumber(_ key: Key, at now: NumericDate) throws(TokenError) -> Int64 {
        if let number = state.withLock({ $0.newNumber(key, at: now) }) { return number }
        throw TokenError(.rateLimited, "Too many new tokens of this scope within a second. Retry later.", retryAfter: 1)
    }

    /// Returns whether tokens of a key are kept.
    private func keeps(_ key: Key) -> Bool { nanoseconds > 0 && key.scope.isSmall }

    /// Returns what a request has to do, after the signature that it shares, if there is one.
    private func turn(_ key: Key, of caller: String?) async throws -> Turn {
        let now = clock.cache.now
        return try await withCheckedThrowingContinuation { continuation in
            let turn: Turn? = state.withLock { state in
                if let token = state.take(key, youngerThan: nanoseconds, at: now) { return .reuse(token) }
                guard state.flights[key] == nil else {
                    state.flights[key]?.waiting.append((caller, continuation))
                    return nil
                }
                state.flights[key] = Flight(caller: caller)
                return .mint
            }
            if let turn { continuation.resume(returning: turn) }
        }
    }

    /// Mints a token, and caches it if tokens of its key are kept; if it `isShared`, other requests may wait for it.
    private func mint(
        _ key: Key,
        for caller: String?,
        at now: NumericDate,
        isShared: Bool = false,
        number: Int64 = 0
    ) async throws -> MintedToken {
        let start = clock.cache.now
        let result: Result<MintedToken, any Error>
        do {
            result = .success(
                try await minter.mint(key.scope, lifetime: key.lifetime, for: caller, now: now, number: number)
            )
        } catch {
            result = .failure(error)
        }
        // Evicted tokens are released outside the lock.
        let (flight, evicted) = state.withLock { state in
            let flight = isShared ? state.flights.removeValue(forKey: key) : nil
            guard keeps(key), let token = try? result.get() else { return (flight, nil as ClockTable<Key, Kept>.Slot?) }
            let kept = Kept(token: token, origin: start)
            return (flight, state.kept.set(kept, for: key) { $1.isYoung(nanoseconds, at: start) ? .ordinary : .dead })
        }
        withExtendedLifetime(evicted) {}
        for (waiter, continuation) in flight?.waiting ?? [] {
            continuation.resume(with: Self.turn(after: result, isOwn: waiter == caller))
        }
        return try result.get()
    }

    /// Returns what a request has to do that waited for another one's signature; `isOwn` if both are of one caller.
    private static func turn(
        after result: Result<MintedToken, any Error>,
        isOwn: Bool
    ) -> Result<Turn, any Error> {
        switch result {
        case .success(let token): .success(.reuse(token))
        // The client of the request that was minting it has gone.
        case .failure(is CancellationError): .success(.again)
        // Another caller's queue is too long, not this one's.
        case .failure(is AdmissionRefusal) where !isOwn: .success(.again)
        case .failure(let error): .failure(error)
        }
    }
}

extension TokenScope {
    /// Whether its token is no larger than usual; a batch has up to fifty IDs, and is requested once.
    fileprivate var isSmall: Bool {
        if case .batch = resources { false } else { true }
    }
}
