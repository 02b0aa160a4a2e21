import Crypto
import ExpiringCache
import FleetToken
import Synchronization

/// Callers whose tokens were verified a short while ago, so that a busy one costs no signature check each time.
///
/// There are two generations: when the younger is full it becomes the older, and the older goes. Only verified tokens get
/// in, so whoever has none cannot push others out.
final class RememberedCallers: Sendable {
    /// For how long a caller is remembered, in seconds.
    static let lifetime: Int64 = 60

    private struct Slot {
        let caller: VerifiedCaller
        /// When it was verified.
        let origin: Instant
        /// The token's `exp`.
        let expiry: NumericDate
    }

    private struct Generations {
        var young: [SHA256Digest: Slot] = [:]
        var old: [SHA256Digest: Slot] = [:]
    }

    private let capacity: Int
    private let continuous: @Sendable () -> Int64
    private let generations = Mutex(Generations())

    /// Remembers nobody yet.
    ///
    /// - Parameters:
    ///   - capacity: How many callers are remembered at most; 2 or more.
    ///   - continuous: The clock beside the wall clock by which they age, in nanoseconds.
    init(capacity: Int = 4096, continuous: @escaping @Sendable () -> Int64 = CacheClock.system.continuous) {
        self.capacity = capacity
        self.continuous = continuous
    }

    /// How many are remembered, the expired among them.
    var count: Int {
        generations.withLock { $0.young.count + $0.old.count }
    }

    /// The caller whose token has this SHA-256, if it is remembered.
    func caller(for digest: SHA256Digest, at now: NumericDate) -> VerifiedCaller? {
        let slot = generations.withLock { $0.young[digest] ?? $0.old[digest] }
        let instant = instant(now)
        guard let slot, instant.age(since: slot.origin) < Self.lifetime * 1_000_000_000,
            !instant.isBefore(slot.origin), now < slot.expiry
        else { return nil }
        return slot.caller
    }

    /// Remembers the caller whose token has this SHA-256.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - digest: The SHA-256.
    ///   - expiry: The token's `exp`.
    ///   - now: When it was verified.
    func insert(_ caller: VerifiedCaller, for digest: SHA256Digest, until expiry: NumericDate, at now: NumericDate) {
        let slot = Slot(caller: caller, origin: instant(now), expiry: expiry)
        generations.withLock { generations in
            if generations.young.count >= capacity / 2 {
                generations = Generations(young: [:], old: generations.young)
            }
            generations.young[digest] = slot
        }
    }

    private func instant(_ now: NumericDate) -> Instant {
        Instant(continuous: continuous(), wall: now.seconds &* 1_000_000_000)
    }
}
