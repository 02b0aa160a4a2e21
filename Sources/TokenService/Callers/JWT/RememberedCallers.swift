import Crypto
import FleetToken
import Synchronization

/// Callers whose tokens were verified a short while ago, so that a busy one costs no signature check each time.
///
/// There are two generations: when the younger is full it becomes the older, and the older goes. Only verified tokens get
/// in, so whoever has none cannot push others out.
final class RememberedCallers: Sendable {
    /// A caller, and what its token was verified with.
    struct Entry: Sendable {
        let caller: Caller
        /// The place of its issuer among all.
        let issuer: Int
        /// The fingerprint of the issuer's key set.
        let keys: SHA256Digest
        fileprivate let since: NumericDate
        fileprivate let until: NumericDate
    }

    /// For how long a caller is remembered, in seconds.
    static let lifetime: Int64 = 60

    private struct Generations {
        var young: [SHA256Digest: Entry] = [:]
        var old: [SHA256Digest: Entry] = [:]
    }

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// Remembers nobody yet.
    ///
    /// - Parameter capacity: How many callers are remembered at most; 2 or more.
    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    /// How many are remembered, the expired among them.
    var count: Int {
        generations.withLock { $0.young.count + $0.old.count }
    }

    /// What is remembered for a token's SHA-256.
    func entry(for digest: SHA256Digest, at now: NumericDate) -> Entry? {
        let entry = generations.withLock { $0.young[digest] ?? $0.old[digest] }
        // A clock that was set back must not make it live longer.
        guard let entry, entry.since <= now, now < entry.until else { return nil }
        return entry
    }

    /// Remembers the caller whose token has this SHA-256.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - issuer: The place of its issuer among all.
    ///   - keys: The fingerprint of the issuer's key set.
    ///   - digest: The SHA-256.
    ///   - expiry: The token's `exp`.
    ///   - now: When it was verified.
    func insert(
        _ caller: Caller,
        issuer: Int,
        keys: SHA256Digest,
        for digest: SHA256Digest,
        until expiry: NumericDate,
        at now: NumericDate
    ) {
        let until = min(expiry, now + Self.lifetime)
        let entry = Entry(caller: caller, issuer: issuer, keys: keys, since: now, until: until)
        generations.withLock { generations in
            if generations.young.count >= capacity / 2 {
                generations = Generations(young: [:], old: generations.young)
            }
            generations.young[digest] = entry
        }
    }
}
