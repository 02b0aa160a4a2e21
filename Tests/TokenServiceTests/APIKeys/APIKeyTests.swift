import Crypto
import FleetToken
import Foundation
import JOSE
import Synchronization
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

struct APIKeyTests {
    private let now = NumericDate(seconds: 1_800_000_000)

    private func newKey(_ label: String = "backend", notAfter: NumericDate? = nil) throws -> NewAPIKey {
        try NewAPIKey(label: label, notAfter: notAfter)
    }

    private static func caller(_ name: String) -> CallerConfiguration {
        CallerConfiguration(name: name, method: .apiKeys(file: "keys"), rateLimit: .perClient)
    }

    private func authenticator(
        _ keys: NewAPIKey...,
        at now: NumericDate? = nil,
        work: APIKeyAuthenticator.Work = .init()
    ) throws -> APIKeyAuthenticator {
        let text = keys.map { $0.line + "\n" }.joined()
        let file = try APIKeyFile(parsing: Array(text.utf8), path: "keys")
        return try APIKeyAuthenticator(
            [(Self.caller("backend"), file.records)],
            work: work,
            clock: .stopped(at: (now ?? self.now).seconds)
        )
    }

    private func refusal(of key: [UInt8], _ authenticator: APIKeyAuthenticator) -> AuthenticationFailure.Code? {
        do throws(AuthenticationFailure) {
            _ = try authenticator.caller(presenting: key)
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: - Making keys

    @Test
    func `A new key has the form that secret scanners know`() throws {
        let key = try newKey().key.revealText()
        #expect(key.wholeMatch(of: /ftk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}/) != nil)
    }

    @Test
    func `A stored line contains nothing of the secret`() throws {
        let made = try newKey("billing backend", notAfter: NumericDate(seconds: 1_801_353_600))
        let key = made.key.revealText()
        let fields = made.line.split(separator: " ", maxSplits: 3)
        #expect(fields[0] == key.dropFirst(4).prefix(12))
        #expect(fields[1] == SHA256.hash(data: Array(key.utf8)).map { String(format: "%02x", $0) }.joined())
        #expect(fields[2] == "2027-01-31T00:00:00Z")
        #expect(fields[3] == "billing backend")
        #expect(!made.line.contains(key.suffix(43)))
        #expect("\(made.key)" == "<redacted>")
        var dumped = ""
        dump(made, to: &dumped)
        #expect(!dumped.contains(key.suffix(43)))
    }

    @Test
    func `Keys differ in ID and secret, and use the whole alphabet`() throws {
        let keys = try (0..<200).map { _ in try newKey().key.revealText() }
        #expect(Set(keys.map { $0.dropFirst(4).prefix(12) }).count == 200)
        #expect(Set(keys.map { $0.suffix(43) }).count == 200)
        let drawn = keys.map { $0.utf8.dropFirst(APIKey.prefix.utf8.count) }
        #expect(Set(drawn.joined()).subtracting("_".utf8) == Set(APIKey.alphabet))
    }

    @Test
    func `Each character of a secret is drawn from the alphabet`() throws {
        let secrets = try (0..<200).map { _ in Array(try newKey().key.reveal().suffix(APIKey.secretLength)) }
        for place in 0..<APIKey.secretLength {
            // About 60 of the 62 characters are expected.
            #expect(Set(secrets.map { $0[place] }).count > 31)
        }
    }

    @Test(
        arguments: [
            "", " ", " x", "x ", "a\nb", "a\u{0}b", "caf\u{E9}", "\u{202E}", String(repeating: "x", count: 65),
        ]
    )
    func `A label that is not one line of visible ASCII is refused`(_ label: String) {
        #expect(throws: CommandError.self) { try newKey(label) }
    }

    // MARK: - Using keys

    @Test
    func `A stored key authenticates its caller`() throws {
        let made = try newKey()
        let caller = try authenticator(made).caller(presenting: made.key.reveal())
        #expect(caller.method == .apiKey)
        #expect(caller.name == "backend")
        #expect(caller.subject == String(made.key.revealText().dropFirst(4).prefix(12)))
        #expect(caller.claims.members.isEmpty)
        #expect(caller.rateLimit == .perClient)
    }

    @Test
    func `Several keys of a caller are valid together; one that was removed is not`() throws {
        let old = try newKey()
        let new = try newKey()
        let both = try authenticator(old, new)
        #expect(refusal(of: old.key.reveal(), both) == nil)
        #expect(refusal(of: new.key.reveal(), both) == nil)
        let rotated = try authenticator(new)
        #expect(refusal(of: old.key.reveal(), rotated) == .unknownAPIKey)
        #expect(refusal(of: new.key.reveal(), rotated) == nil)
    }

    @Test
    func `A key with one changed character is rejected`() throws {
        let made = try newKey()
        let authenticator = try authenticator(made)
        let key = made.key.reveal()
        for index in key.indices {
            for byte in [key[index] ^ 1, key[index] ^ 0x20, 0x30, 0x7A, 0, 0x5F] where byte != key[index] {
                var other = key
                other[index] = byte
                let code = refusal(of: other, authenticator)
                #expect(code == .unknownAPIKey || code == .malformedAPIKey)
            }
        }
        let others = [
            Array(key.dropLast()), Array(key.dropFirst()), key + [0x30], key + [0x0A], [0x20] + key, [], key + key,
        ]
        for other in others {
            #expect(refusal(of: other, authenticator) == .malformedAPIKey)
        }
        #expect(refusal(of: key, authenticator) == nil)
    }

    /// A comparison in which later bytes hid the difference of earlier ones accepted one wrong key in 2,000.
    @Test
    func `A digest with one changed bit is unequal`() throws {
        let digest = SHA256Digest(of: try newKey().key.reveal())
        let stored = digest.bytes
        let isEqual = APIKeyAuthenticator.Work().isEqual
        #expect(isEqual(digest, stored))
        for index in stored.indices {
            for bit in 0..<8 {
                var other = stored
                other[index] ^= 1 << bit
                #expect(!isEqual(digest, other))
            }
        }
        #expect(!isEqual(digest, stored.dropLast()) && !isEqual(digest, stored + [0]) && !isEqual(digest, []))
    }

    /// A stored key with another's ID is as unknown as an ID that nobody has.
    @Test
    func `An unknown ID and a wrong secret get the same response`() throws {
        let mine = try newKey()
        let other = try newKey().key.revealText()
        let authenticator = try authenticator(mine)
        let wrongSecret = mine.key.revealText().prefix(17) + other.suffix(43)
        #expect(refusal(of: Array(wrongSecret.utf8), authenticator) == .unknownAPIKey)
        #expect(refusal(of: Array(other.utf8), authenticator) == .unknownAPIKey)
        let codes: [AuthenticationFailure.Code] = [.unknownAPIKey, .expiredAPIKey, .malformedAPIKey]
        #expect(Set(codes.map { AuthenticationFailure($0).refusal }).count == 1)
    }

    /// How long a refusal takes tells nobody which IDs are in use, nor how much of a key is right.
    @Test
    func `Verifying a key costs the same work, whether it is valid or not`() throws {
        let done = Mutex<[String]>([])
        let work = APIKeyAuthenticator.Work(
            hash: { key in
                done.withLock { $0.append("hash of \(key.count)") }
                return SHA256Digest(of: key)
            },
            isEqual: { digest, stored in
                done.withLock { $0.append("comparison with \(stored.count)") }
                return digest.bytes == stored
            }
        )
        let mine = try newKey()
        let authenticator = try authenticator(mine, work: work)
        let key = mine.key.reveal()
        let wrongSecret = key.prefix(17) + [UInt8](repeating: UInt8(ascii: "A"), count: 43)
        let wrongLast = Array(key.dropLast()) + [UInt8(ascii: key.last == UInt8(ascii: "A") ? "B" : "A")]
        let keys = [key, Array(wrongSecret), wrongLast, try newKey().key.reveal()]
        for (key, expected) in zip(keys, [nil, .unknownAPIKey, .unknownAPIKey, .unknownAPIKey] as [Code?]) {
            #expect(refusal(of: key, authenticator) == expected)
            #expect(done.withLock { $0 } == ["hash of 60", "comparison with 32"])
            done.withLock { $0 = [] }
        }
    }

    private typealias Code = AuthenticationFailure.Code

    @Test
    func `A key expires to the second, and only its holder learns that`() throws {
        let made = try newKey(notAfter: now)
        #expect(refusal(of: made.key.reveal(), try authenticator(made, at: now - 1)) == nil)
        #expect(refusal(of: made.key.reveal(), try authenticator(made, at: now)) == .expiredAPIKey)
        // Whoever has only the ID learns nothing of the expiry.
        let wrong = made.key.revealText().prefix(17) + String(repeating: "A", count: 43)
        #expect(refusal(of: Array(wrong.utf8), try authenticator(made, at: now)) == .unknownAPIKey)
    }

    @Test
    func `One ID for two callers is refused`() throws {
        let records = try APIKeyFile(parsing: Array(try newKey().line.utf8), path: "keys").records
        let clock = ServiceClock.stopped(at: now.seconds)
        #expect(throws: OperatorError.self) {
            try APIKeyAuthenticator([(Self.caller("a"), records), (Self.caller("b"), records)], clock: clock)
        }
    }
}
