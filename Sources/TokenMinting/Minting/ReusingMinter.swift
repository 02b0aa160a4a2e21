package import ExpiringCache
package import FleetToken
import Synchronization

/// Hands a token out again while it is young, so that many who ask for the same cost one signature.
///
/// What is the same is compared byte by byte: the scope, the lifetime that was asked for, and which key of the ring signs.
/// However many ask at once, one signature is made. It remembers no caller: each hand-out is somebody else's to authorize
/// and to record.
///
/// The tokens go with it, so whoever changes keys or configuration makes a new one.
package final class ReusingMinter: Sendable {
    /// For how many seconds a token may be handed out again, at most.
    ///
    /// More than 3,300 seconds of the usual 3,540 remain then, which Google's samples for the web assume.
    package static let maximumSeconds = 240

    /// How many tokens are kept: with their keys and all else about 1.5 KiB each.
    ///
    /// Beyond it those go first that are too old, then those that were asked for once.
    package static let capacity = 16_384

    private struct Key: Hashable, Sendable {
        let scope: TokenScope
        let lifetime: TokenLifetime
        let isPromoted: Bool
    }

    private struct Kept: Sendable {
        let token: MintedToken
        /// When its minting began.
        let origin: Instant

        /// Whether it is young, and not from a time that the wall clock has been set back from.
        func isYoung(_ nanoseconds: Int64, at now: Instant) -> Bool {
            now.age(since: origin) < nanoseconds && !now.isBefore(origin)
        }
    }

    private struct State {
        var kept: ClockTable<Key, Kept>
        /// The tokens that are being signed.
        var flights: [Key: SharedResult<MintedToken>] = [:]
    }

    /// What is to be done for whoever asks.
    private enum Turn {
        case handOut(MintedToken)
        case wait(SharedResult<MintedToken>)
        case mint(SharedResult<MintedToken>)
    }

    /// Makes the tokens.
    package let minter: TokenMinter
    private let nanoseconds: Int64
    private let clock: CacheClock
    private let state: Mutex<State>

    /// A minter that hands out again what another one makes.
    ///
    /// - Parameters:
    ///   - minter: Makes the tokens.
    ///   - seconds: For how long after its minting a token is handed out again; zero for not at all.
    ///   - capacity: How many tokens are kept.
    ///   - clock: Tells how old a token is; its wall clock is the one that tokens are minted by.
    package init(
        _ minter: TokenMinter,
        seconds: Int,
        capacity: Int = ReusingMinter.capacity,
        clock: CacheClock = .system
    ) {
        self.minter = minter
        nanoseconds = Int64(seconds) * 1_000_000_000
        self.clock = clock
        state = Mutex(State(kept: ClockTable(capacity: capacity)))
    }

    /// A token: one that is kept, or a new one.
    ///
    /// - Parameters:
    ///   - scope: What it is to open.
    ///   - lifetime: How long it was to be valid when it was minted.
    ///   - now: The wall clock.
    ///   - allowsReuse: Whether a token that is kept, or being signed for others, will do. If not, the new one takes its
    ///     place.
    /// - Returns: The token, and whether it was handed out before.
    /// - Throws: As ``TokenMinter/mint(_:lifetime:now:)`` does.
    package func token(
        for scope: TokenScope,
        lifetime: TokenLifetime = .default,
        now: NumericDate,
        allowsReuse: Bool = true
    ) async throws -> (token: MintedToken, isReused: Bool) {
        guard nanoseconds > 0, scope.isSmall else {
            return (try await minter.mint(scope, lifetime: lifetime, now: now), false)
        }
        let key = Key(scope: scope, lifetime: lifetime, isPromoted: minter.isPromoted(scope.kind, at: now))
        guard allowsReuse else { return (try await mint(key, now), false) }
        while true {
            switch turn(key) {
            case .handOut(let token): return (token, true)
            case .mint(let flight): return (try await mint(key, now, flight), false)
            case .wait(let flight):
                do {
                    return (try await flight.value, true)
                } catch is CancellationError where !Task.isCancelled {
                    // Whoever was to mint it has gone; somebody else has to.
                    continue
                }
            }
        }
    }

    private func turn(_ key: Key) -> Turn {
        let now = clock.now
        return state.withLock { state in
            if let kept = state.kept.take(key), kept.isYoung(nanoseconds, at: now) { return .handOut(kept.token) }
            if let flight = state.flights[key] { return .wait(flight) }
            let flight = SharedResult<MintedToken>()
            state.flights[key] = flight
            return .mint(flight)
        }
    }

    /// Mints a token and keeps it; the flight is what others wait for, nil if the token is for this caller alone.
    private func mint(
        _ key: Key,
        _ now: NumericDate,
        _ flight: SharedResult<MintedToken>? = nil
    ) async throws -> MintedToken {
        let start = clock.now
        let result: Result<MintedToken, any Error>
        do {
            result = .success(try await minter.mint(key.scope, lifetime: key.lifetime, now: now))
        } catch {
            result = .failure(error)
        }
        // What has to go is let go after the lock.
        let evicted = state.withLock { state in
            if flight != nil { state.flights[key] = nil }
            return (try? result.get()).flatMap { token in
                let kept = Kept(token: token, origin: start)
                return state.kept.set(kept, for: key) { $1.isYoung(nanoseconds, at: start) ? .ordinary : .dead }
            }
        }
        withExtendedLifetime(evicted) {}
        flight?.finish(result)
        return try result.get()
    }
}

extension TokenScope {
    /// Whether its token is no larger than most; a batch's has up to fifty IDs, and is asked for once.
    fileprivate var isSmall: Bool {
        if case .deliveryBatch = self { false } else { true }
    }
}
