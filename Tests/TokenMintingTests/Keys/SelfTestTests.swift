import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

/// The signature that each key makes before it is used.
@Suite(.watchdog)
struct SelfTestTests {
    private func signer(_ keyID: String, account: ServiceAccount) throws -> LocalSigner {
        LocalSigner(try ServiceAccount(email: account.email, keyID: keyID, key: account.key))
    }

    @Test
    func `Two keys with one ID are not published`() throws {
        let signers: [TokenKind: any TokenSigner] = [
            .driver: try signer("a", account: try Accounts.first()),
            .consumer: try signer("a", account: try Accounts.second()),
        ]
        #expect { try TokenMinter(signers: signers).keys() } throws: { ($0 as? JOSEError)?.code == .invalidKeySet }
    }

    @Test
    func `The self-test signs with each key and names the faulty one`() async throws {
        _ = try await signer("a", account: try Accounts.first()).test(at: Accounts.now)
        let broken = BrokenSigner(publicKeys: try signer("broken", account: try Accounts.first()).publicKeys)
        await #expect {
            try await broken.test(at: Accounts.now)
        } throws: {
            ($0 as? OperatorError)?.description.contains("broken") ?? false
        }
    }

    @Test
    func `A key whose signature does not match the published one fails the self-test`() async throws {
        // Signs with the first account's key, under the second's public one, in this process.
        await #expect { try await mismatched().test(at: Accounts.now) } throws: { $0 is OperatorError }
    }

    @Test
    func `A faulty key is a problem of its kind, and Google's failure an outage`() async throws {
        let outage = BrokenSigner(publicKeys: [], error: IAMError("Google returned 503."))
        let good = try signer("a", account: try Accounts.first())
        let test = SigningTest(of: [.driver: try mismatched(), .server: good, .consumer: outage])
        let (problems, outages) = await test.run(at: Accounts.now)
        #expect(problems.map(\.setting) == ["kinds.driver"])
        #expect(outages.map(\.setting) == ["kinds.consumer"])
        #expect(Set(test.failing) == [.driver, .consumer])
    }

    private func mismatched() throws -> MismatchedSigner {
        let jwk = JWK(try Accounts.second().key.publicKey, keyID: "a")
        return MismatchedSigner(signer: try signer("a", account: try Accounts.first()), jwk: jwk)
    }

    private struct BrokenSigner: TokenSigner {
        let issuer = "kilo@development.invalid"
        let publicKeys: [JWK]
        var error: any Error = CancellationError()
        func sign(payload: [UInt8]) throws -> SignedToken { throw error }
    }

    private struct MismatchedSigner: TokenSigner {
        let signer: LocalSigner
        let jwk: JWK
        var issuer: String { signer.issuer }
        var publicKeys: [JWK] { [jwk] }
        var isRemote: Bool { false }
        func sign(payload: [UInt8]) throws -> SignedToken {
            SignedToken(token: try signer.signNow(payload: payload).token, jwk: jwk)
        }
    }
}
