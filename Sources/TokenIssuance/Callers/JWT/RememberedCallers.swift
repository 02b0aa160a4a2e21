import FleetToken
import JOSE
import StrictCoding
import Synchronization
import Timing

/// Callers whose tokens were recently verified, so that frequent callers do not cost a signature verification each
/// time.
///
/// There are two generations: when the younger one is full, it becomes the older one, and the older one is dropped. The
/// size is measured in bytes, because one caller's claims can be a thousand times larger than another's. Only verified
/// tokens are inserted, so a client without one cannot evict others.
///
/// ``ExpiringCache`` and its table bound a number of values, not bytes, and evict with a hand that may pass over all of them
/// under the lock. Here the latest callers always stay, and no insertion examines another caller.
final class RememberedCallers: Sendable {
    /// For how long a caller is remembered, in seconds.
    static let lifetime: Int64 = 60
    /// How many bytes all of them may take, about: some thousands of callers, or two hundred of the largest.
    static let budget = 16 * 1024 * 1024

    private struct Slot {
        let caller: VerifiedCaller
        let size: Int
        /// When it was verified.
        let origin: Instant
        /// The token's `exp`.
        let expiry: NumericDate
    }

    private struct Generations {
        var young: [SHA256Digest: Slot] = [:]
        /// How many bytes the young ones take.
        var size = 0
        var old: [SHA256Digest: Slot] = [:]
    }

    private let budget: Int
    /// The clock beside the wall clock by which they age, in nanoseconds.
    private let continuous: @Sendable () -> Int64
    private let generations = Mutex(Generations())

    /// Creates an empty cache.
    init(
        budget: Int = RememberedCallers.budget,
        continuous: @escaping @Sendable () -> Int64 = AgeClock.system.continuous
    ) {
        self.budget = budget
        self.continuous = continuous
    }

    /// How many are remembered, the expired among them.
    var count: Int {
        generations.withLock { $0.young.count + $0.old.count }
    }

    /// Returns the caller whose token has this SHA-256, if it is cached.
    func caller(for digest: SHA256Digest, at now: NumericDate) -> VerifiedCaller? {
        let slot = generations.withLock { $0.young[digest] ?? $0.old[digest] }
        let instant = instant(now)
        guard let slot, instant.age(since: slot.origin) < Self.lifetime * 1_000_000_000,
            !instant.isBefore(slot.origin), now < slot.expiry
        else { return nil }
        return slot.caller
    }

    /// Returns whether the token with this SHA-256 was verified here, no matter when and whether it is still valid.
    func knows(_ digest: SHA256Digest) -> Bool {
        generations.withLock { $0.young[digest] != nil || $0.old[digest] != nil }
    }

    /// Remembers the caller whose token has this SHA-256 and `exp`, and was verified now.
    func insert(_ caller: VerifiedCaller, for digest: SHA256Digest, until expiry: NumericDate, at now: NumericDate) {
        let size = caller.caller.retainedSize
        // A caller that would use half of a generation is verified each time.
        guard size <= budget / 4 else { return }
        let slot = Slot(caller: caller, size: size, origin: instant(now), expiry: expiry)
        let forgotten = generations.withLock { generations in
            var forgotten: [SHA256Digest: Slot] = [:]
            if generations.size + size > budget / 2 {
                forgotten = generations.old
                generations = Generations(old: generations.young)
            }
            generations.size += size - (generations.young.updateValue(slot, forKey: digest)?.size ?? 0)
            return forgotten
        }
        // Freed outside the lock, for which all callers with tokens wait.
        _ = consume forgotten
    }

    private func instant(_ now: NumericDate) -> Instant {
        Instant(continuous: continuous(), wall: now.seconds &* 1_000_000_000)
    }
}

/// A caller and the keys that verified its token.
struct VerifiedCaller: Sendable {
    let caller: Caller
    /// The issuer's keys, as they are now.
    let keys: IssuerKeys
    /// The fingerprint of the key set as it was then.
    let fingerprint: SHA256Digest
}

extension Caller {
    /// The approximate retained memory in bytes, never much less than actual: containers count too.
    var retainedSize: Int { 512 + 2 * subject.utf8.count + JSONValue.object(claims).retainedSize }
}

extension JSONValue {
    /// The size of a value in an array or, with its name, in an object, plus the heap's overhead for each allocation.
    private static let overhead = 64

    /// The size of an array of members, which has room for some even if there is only one.
    private static func room(for members: Int) -> Int {
        max(JSONObject.leastCapacity, members) * MemoryLayout<JSONObject.Member>.stride
    }

    fileprivate var retainedSize: Int {
        switch self {
        case .null, .bool, .integer: Self.overhead
        case .decimal(let text), .string(let text): Self.overhead + text.utf8.count
        case .array(let elements): elements.reduce(Self.overhead) { $0 + $1.retainedSize }
        case .object(let object):
            object.members.reduce(Self.overhead + Self.room(for: object.members.count)) {
                $0 + Self.overhead + $1.name.utf8.count + $1.value.retainedSize
            }
        }
    }
}
