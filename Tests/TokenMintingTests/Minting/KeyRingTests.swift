import FleetToken
import JOSE
import TestSupport
import TestTraits
import Testing

@testable import TokenMinting

@Suite("Signing and published keys during a rotation", .watchdog)
struct KeyRingTests {
    /// A signer by name; its key is one of two that tests share.
    private func signer(_ keyID: String, account: ServiceAccount? = nil) throws -> LocalSigner {
        let account = try account ?? Accounts.first()
        return LocalSigner(try ServiceAccount(email: account.email, keyID: keyID, key: account.key))
    }

    @Test(
        "A next key signs from its time on, if it has one, and a key with several states has the most active one",
        arguments: [
            (["a"], nil, 0, ["current a"]), (["a"], -1, 0, ["current a"]), (["a", "a", "a"], nil, 0, ["current a"]),
            (["a", "b", "z"], nil, 0, ["current a", "next b", "previous z"]),
            (["a", "b", "z"], nil, .max, ["current a", "next b", "previous z"]),
            (["a", "b", "z"], 0, -1, ["current a", "next b", "previous z"]),
            (["a", "b", "z"], 0, 0, ["current b", "previous a", "previous z"]),
        ] as [([String], Int64?, Int64, [String])]
    )
    func rotation(keys: [String], from: Int64?, time: Int64, expected: [String]) throws {
        let (epoch, signers) = (NumericDate(seconds: 0), try keys.map { try signer($0) })
        let ring = KeyRing(
            current: signers[0],
            next: signers.dropFirst().first,
            from: from.map { epoch + $0 },
            previous: signers.dropFirst(2).first
        )
        let now = epoch + time
        #expect(ring.keys(at: now).map { "\($0.state.rawValue) \($0.key.keyID)" } == expected)
        #expect(ring.signer(at: now).publicKeys.map { "current \($0.keyID)" } == [expected[0]])
        #expect(ring.isPromoted(at: now) == (expected[0] == "current b"))
    }

    @Test("Two keys with one ID are not published")
    func sharedKeyID() throws {
        let ring = KeyRing(current: try signer("a"), next: try signer("a", account: try Accounts.second()))
        #expect { try TokenMinter(rings: [.driver: ring]).keys() } throws: {
            ($0 as? JOSEError)?.code == .invalidKeySet
        }
    }

    @Test("A self-test lets every key sign, and names the faulty one")
    func selfTest() async throws {
        try await KeyRing(current: try signer("a"), next: try signer("b")).test(at: Accounts.now)
        let broken = BrokenSigner(publicKeys: try signer("broken").publicKeys)
        for ring in [
            KeyRing(current: broken), KeyRing(current: try signer("a"), next: broken),
            KeyRing(current: try signer("a"), previous: broken),
        ] {
            await #expect {
                try await ring.test(at: Accounts.now)
            } throws: {
                ($0 as? MintingError)?.description.contains("broken") ?? false
            }
        }
    }

    @Test("A key whose signature does not match the published one fails the self-test")
    func mismatch() async throws {
        // Signs with the first account's key, under the second's public one, in this process.
        let jwk = JWK(try Accounts.second().key.publicKey, keyID: "a")
        let liar = MismatchedSigner(signer: try signer("a"), jwk: jwk)
        await #expect { try await liar.test(at: Accounts.now) } throws: { $0 is MintingError }
    }

    private struct BrokenSigner: TokenSigner {
        let issuer = "kilo@development.invalid"
        let publicKeys: [JWK]
        func sign(payload: [UInt8], for caller: String?) throws -> SignedToken { throw CancellationError() }
    }

    private struct MismatchedSigner: TokenSigner {
        let signer: LocalSigner
        let jwk: JWK
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { [jwk] }
        var isRemote: Bool { false }
        func sign(payload: [UInt8], for caller: String?) throws -> SignedToken {
            SignedToken(token: try signer.sign(payload: payload).token, jwk: jwk)
        }
    }
}
