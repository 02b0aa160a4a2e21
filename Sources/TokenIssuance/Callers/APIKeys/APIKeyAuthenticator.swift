import FleetToken
import JOSE
import ServiceSupport
import Synchronization

/// Authenticates callers by API key.
final class APIKeyAuthenticator: Sendable {
    /// The cost of checking a key, known or not; a test counts it.
    struct Work: Sendable {
        var hash: @Sendable (_ key: [UInt8]) -> SHA256Digest = { SHA256Digest(of: $0) }
        /// Whether a digest equals the stored one, in constant time.
        var isEqual: @Sendable (_ digest: SHA256Digest, _ stored: [UInt8]) -> Bool = { digest, stored in
            digest.withUnsafeBytes { digest in stored.withUnsafeBytes { digest.hasSameBytes(as: $0) } }
        }
    }

    /// The keys by their IDs.
    private let entries: [String: (record: APIKeyRecord, caller: Caller)]
    /// The IDs of each caller's keys: to search all keys for each caller would take the square of their number.
    private let ids: [String: [String]]
    /// The IDs of the keys that were revoked since.
    private let withdrawn = Mutex<Set<String>>([])
    private let work: Work
    private let clock: ServiceClock

    /// The keys of a caller.
    typealias Keys = (caller: CallerConfiguration, records: [APIKeyRecord])

    /// Creates an authenticator for the keys of callers.
    ///
    /// - Throws: ``OperatorError`` when two keys have the same ID.
    init(
        _ keys: [Keys],
        work: Work = Work(),
        clock: ServiceClock
    ) throws(OperatorError) {
        var entries: [String: (record: APIKeyRecord, caller: Caller)] = [:]
        var ids: [String: [String]] = [:]
        for (configuration, records) in keys {
            let name = configuration.name
            for record in records {
                let id = String(decoding: record.id, as: UTF8.self)
                let caller = Caller(
                    method: .apiKey,
                    name: name,
                    subject: id,
                    claims: .init(),
                    rateLimit: configuration.rateLimit,
                    isAdmin: configuration.isAdmin
                )
                if let other = entries.updateValue((record, caller), forKey: id) {
                    throw OperatorError(
                        "The callers \(other.caller.name) and \(name) have a key with the same ID. Remove one."
                    )
                }
                ids[name, default: []].append(id)
            }
        }
        (self.entries, self.ids) = (entries, ids)
        self.work = work
        self.clock = clock
    }

    /// Returns the caller that a key belongs to.
    ///
    /// An unknown key costs the same work as a known one, so that timing does not reveal which IDs are in use.
    ///
    /// - Throws: ``AuthenticationFailure`` unless the key is stored and has not expired.
    func caller(presenting key: [UInt8]) throws(AuthenticationFailure) -> Caller {
        guard let id = APIKey(parsing: key)?.id else { throw .init(.malformedAPIKey) }
        let entry = entries[id]
        let isEqual = work.isEqual(work.hash(key), entry?.record.digest ?? Self.unknownKeyDigest)
        guard let entry, !withdrawn.withLock({ $0.contains(id) }) else { throw .init(.unknownAPIKey) }
        guard isEqual else { throw AuthenticationFailure(.unknownAPIKey).of(entry.caller.name) }
        if let notAfter = entry.record.notAfter, clock.now >= notAfter {
            throw AuthenticationFailure(.expiredAPIKey).of(entry.caller.name)
        }
        return entry.caller
    }

    /// Refuses a caller's keys that are not among these.
    ///
    /// - Returns: The IDs of the keys that are refused from now on.
    func withdraw(allBut remaining: Set<String>, of caller: String) -> [String] {
        let gone = (ids[caller] ?? []).filter { !remaining.contains($0) }
        return withdrawn.withLock { withdrawn in gone.filter { withdrawn.insert($0).inserted } }.sorted()
    }

    /// Returns the keys of a caller.
    func records(of caller: String) -> [APIKeyRecord] { ids[caller]?.compactMap { entries[$0]?.record } ?? [] }

    /// The digest to compare unknown keys with.
    private static let unknownKeyDigest = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
}
