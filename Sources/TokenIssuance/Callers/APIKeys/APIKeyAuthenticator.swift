import FleetToken
import JOSE
import ServiceSupport
import StrictCoding
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Authenticates callers by API key.
final class APIKeyAuthenticator: Sendable {
    /// The keys of one kind of caller.
    struct Group: Sendable {
        /// The caller's name in the configuration.
        let name: String
        /// Whether the caller may be a person's app.
        let isApp: Bool
        let records: [APIKeyRecord]
    }

    /// The cost of checking a key, known or not; a test counts it.
    struct Work: Sendable {
        var hash: @Sendable (_ key: String) -> SHA256Digest = { key in
            var key = key
            return key.withUTF8 { SHA256Digest(of: UnsafeRawBufferPointer($0)) }
        }
        /// Whether a digest equals the stored one, in constant time.
        var isEqual: @Sendable (_ digest: SHA256Digest, _ stored: [UInt8]) -> Bool = { digest, stored in
            digest.withUnsafeBytes { digest in stored.withUnsafeBytes { ConstantTime.areEqual(digest, $0) } }
        }
    }

    private struct Entry: Sendable {
        let record: APIKeyRecord
        let caller: Caller
    }

    private let entries: [String: Entry]
    /// The keys by caller: to search all keys for each caller would take the square of their number.
    private let records: [String: [APIKeyRecord]]
    /// The IDs of the keys that were revoked since.
    private let withdrawn = Mutex<Set<String>>([])
    private let work: Work
    private let clock: ServiceClock

    /// Creates an authenticator for groups of keys.
    ///
    /// - Throws: ``ConfigurationError`` when two keys have the same ID.
    init(
        _ groups: [Group],
        work: Work = Work(),
        clock: ServiceClock
    ) throws(ConfigurationError) {
        var entries: [String: Entry] = [:]
        for group in groups {
            for record in group.records {
                let id = String(decoding: record.id, as: UTF8.self)
                let caller = Caller(
                    method: .apiKey,
                    name: group.name,
                    subject: id,
                    claims: .init(),
                    isApp: group.isApp
                )
                if let other = entries.updateValue(Entry(record: record, caller: caller), forKey: id) {
                    throw ConfigurationError(
                        "The callers \(other.caller.name) and \(group.name) have a key with the same ID. Remove one."
                    )
                }
            }
        }
        self.entries = entries
        records = Dictionary(groups.map { ($0.name, $0.records) }, uniquingKeysWith: +)
        self.work = work
        self.clock = clock
    }

    /// Returns the caller that a key belongs to.
    ///
    /// An unknown key costs the same work as a known one, so that timing does not reveal which IDs are in use.
    ///
    /// - Throws: ``AuthenticationFailure`` unless the key is stored and has not expired.
    func caller(presenting key: String) throws(AuthenticationFailure) -> Caller {
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
        let ids = records(of: caller).map { String(decoding: $0.id, as: UTF8.self) }.filter { !remaining.contains($0) }
        return withdrawn.withLock { withdrawn in ids.filter { withdrawn.insert($0).inserted } }.sorted()
    }

    func records(of caller: String) -> [APIKeyRecord] { records[caller] ?? [] }

    /// The digest to compare unknown keys with.
    private static let unknownKeyDigest = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
}
