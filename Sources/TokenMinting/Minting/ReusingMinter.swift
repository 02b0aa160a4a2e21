public import ExpiringCache
public import FleetToken
import Synchronization

/// Hands a token out again while it is young, so that many who ask for the same cost one signature.
///
/// What is the same is compared byte by byte: the scope, the lifetime that was asked for, and which key of the ring signs.
/// However many ask at once, one signature is made. It remembers no caller: each hand-out is somebody else's to authorize
/// and to record.
///
/// The tokens go with it, so whoever changes keys or configuration makes a new one.
public final class ReusingMinter: Sendable {
    /// For how many seconds a token may be handed out again, at most.
    ///
    /// More than 3,300 seconds of the usual 3,540 remain then, which Google's samples for the web assume.
    public static let maximumSeconds = 240

    /// How many tokens are kept: with their keys and all else about 1.5 KiB each.
    ///
    /// Beyond it those go first that are too old, then those that were asked for once.
    public static let capacity = 16_384

    private struct Key: Hashable, Sendable {
        let scope: TokenScope
        let lifetime: TokenLifetime
        let isPromoted: Bool
    }

    /// A token, and whether somebody has had it.
    private final class Kept: Sendable {
        let token: MintedToken
        private let isTaken = Atomic<Bool>(false)

        init(_ token: MintedToken) {
            self.token = token
        }

        /// Whether this isn't the first time.
        func take() -> Bool { isTaken.exchange(true, ordering: .relaxed) }
    }

    /// Makes the tokens.
    public let minter: TokenMinter
    private let cache: ExpiringCache<Key, Kept>?

    /// A minter that hands out again what another one makes.
    ///
    /// - Parameters:
    ///   - minter: Makes the tokens.
    ///   - seconds: For how long after its minting a token is handed out again; zero for not at all.
    ///   - capacity: How many tokens are kept.
    ///   - clock: Tells how old a token is.
    ///   - now: The wall clock, for what is minted.
    public init(
        _ minter: TokenMinter,
        seconds: Int,
        capacity: Int = ReusingMinter.capacity,
        clock: CacheClock = .system,
        now: @escaping @Sendable () -> NumericDate
    ) {
        self.minter = minter
        guard seconds > 0 else {
            cache = nil
            return
        }
        cache = ExpiringCache(configuration: .tokens(capacity), clock: clock) { key, _ in
            let token = try await minter.mint(key.scope, lifetime: key.lifetime, now: now())
            return Fetched(Kept(token), lifetime: Seconds(seconds))
        }
    }

    /// A token: one that is kept, or a new one.
    ///
    /// - Parameters:
    ///   - scope: What it is to open.
    ///   - lifetime: How long it was to be valid when it was minted.
    ///   - now: The wall clock.
    /// - Returns: The token, and whether it was handed out before.
    /// - Throws: As ``TokenMinter/mint(_:lifetime:now:)`` does.
    public func token(
        for scope: TokenScope,
        lifetime: TokenLifetime = .default,
        now: NumericDate
    ) async throws -> (token: MintedToken, isReused: Bool) {
        guard let cache, scope.isSmall else {
            return (try await minter.mint(scope, lifetime: lifetime, now: now), false)
        }
        let isPromoted = minter.isPromoted(scope.kind, at: now)
        do {
            let kept = try await cache.value(for: Key(scope: scope, lifetime: lifetime, isPromoted: isPromoted))
            return (kept.token, kept.take())
        } catch let error as CacheError {
            throw error.underlying ?? error
        }
    }
}

extension TokenScope {
    /// Whether its token is no larger than most; a batch's has up to fifty IDs, and is asked for once.
    fileprivate var isSmall: Bool {
        if case .deliveryBatch = self { false } else { true }
    }
}

extension CacheConfiguration {
    /// A token goes on being valid after it is no more kept, and a signature that failed may be tried again at once:
    /// whoever signs knows best when.
    fileprivate static func tokens(_ capacity: Int) -> Self {
        var configuration = Self()
        configuration.capacity = capacity
        configuration.minimumRemaining = 0
        configuration.refreshAhead = 0
        configuration.fetchTimeout = .infinity
        configuration.callTimeout = .infinity
        configuration.backoff = 0...0
        configuration.maximumRetryAfter = 0
        configuration.denialLifetime = 0
        return configuration
    }
}
