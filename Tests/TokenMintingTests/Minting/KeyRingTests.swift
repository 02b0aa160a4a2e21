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

    private func states(_ ring: KeyRing, at now: NumericDate) -> [String] {
        ring.keys(at: now).map { "\($0.state.rawValue) \($0.key.keyID)" }
    }

    @Test("The only key signs and is published, at a time for a next key too")
    func onlyKey() throws {
        let ring = KeyRing(current: try signer("a"))
        #expect(ring.signer(at: Accounts.now).publicKeys.map(\.keyID) == ["a"])
        #expect(states(ring, at: Accounts.now) == ["current a"])
        #expect(!ring.isPromoted(at: Accounts.now))
        #expect(!KeyRing(current: try signer("a"), from: Accounts.now - 1).isPromoted(at: Accounts.now))
    }

    @Test("A next key without a time is published and never signs")
    func nextWithoutTime() throws {
        let ring = KeyRing(current: try signer("a"), next: try signer("b"), previous: try signer("z"))
        for time in [NumericDate(seconds: 0), Accounts.now, NumericDate(seconds: .max)] {
            #expect(ring.signer(at: time).publicKeys.map(\.keyID) == ["a"])
            #expect(states(ring, at: time) == ["current a", "next b", "previous z"])
        }
    }

    @Test("A next key signs from its time on")
    func nextFromTime() throws {
        let from = Accounts.now
        let ring = KeyRing(current: try signer("a"), next: try signer("b"), from: from, previous: try signer("z"))
        #expect(ring.signer(at: from - 1).publicKeys.map(\.keyID) == ["a"])
        #expect(states(ring, at: from - 1) == ["current a", "next b", "previous z"])
        #expect(ring.signer(at: from).publicKeys.map(\.keyID) == ["b"])
        #expect(states(ring, at: from) == ["current b", "previous a", "previous z"])
    }

    @Test("A key with several states is shown once, with the most active")
    func twoStates() throws {
        let both = KeyRing(current: try signer("a"), next: try signer("a"), previous: try signer("a"))
        #expect(states(both, at: Accounts.now) == ["current a"])
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
