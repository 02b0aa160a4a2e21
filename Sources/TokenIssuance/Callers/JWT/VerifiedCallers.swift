import FleetToken
import JOSE
import ServiceSupport
import Synchronization

/// Callers whose tokens were verified, until the tokens expire.
///
/// Verifying an ES256 signature takes longer than everything else of a response whose token is reused. Only verified tokens
/// are kept, so a client without one evicts no other.
final class VerifiedCallers: Sendable {
    /// A caller and the keys that verified its token.
    struct Entry: Sendable {
        let caller: Caller
        /// The issuer's keys, as they are now.
        let keys: IssuerKeys
        /// The fingerprint of the key set as it was then.
        let fingerprint: SHA256Digest
        /// The token's `exp`.
        let expiry: NumericDate
    }

    /// The maximum number of callers; when it is reached, all are verified again.
    static let maximumCount = 4096
    /// The maximum size of a token that is kept, in bytes, which bounds the claims in memory.
    static let maximumTokenSize = 2048

    private let clock: ServiceClock
    private let entries = Mutex<[SHA256Digest: (entry: Entry, start: Instant)]>([:])

    /// Creates an empty collection.
    init(clock: ServiceClock) {
        self.clock = clock
    }

    /// Returns the caller of a token that has not expired by either clock since it was verified.
    func caller(bearing token: SHA256Digest) -> Entry? {
        guard let (entry, start) = entries.withLock({ $0[token] }) else { return nil }
        let now = clock.instant
        // A clock that is set back makes no token last longer.
        guard !now.isBefore(start), clock.now < entry.expiry,
            .nanoseconds(now.continuous &- start.continuous) < .seconds(entry.expiry.seconds) - .nanoseconds(start.wall)
        else { return nil }
        return entry
    }

    /// Keeps the caller of a token, unless the token is too large.
    func insert(_ entry: Entry, for token: [UInt8]) {
        guard token.count <= Self.maximumTokenSize else { return }
        let (digest, start) = (SHA256Digest(of: token), clock.instant)
        let dropped = entries.withLock { entries in
            var dropped: [SHA256Digest: (entry: Entry, start: Instant)] = [:]
            if entries.count >= Self.maximumCount { swap(&dropped, &entries) }
            entries[digest] = (entry, start)
            return dropped
        }
        // Freed outside the lock, for which all callers with tokens wait.
        _ = consume dropped
    }
}
