import FleetToken
import JOSE
import TestRandomness
import TestSupport
import Testing
import TokenMinting

@Suite("Minting with an honest signer")
struct TokenMinterTests {
    @Test(
        "Tokens are minted from the epoch to the year 9999",
        arguments: [60, 1_795_211_520, 253_402_297_259] as [Int64]
    )
    func times(seconds: Int64) async throws {
        let minted = try await Accounts.minter().mint(.server, now: NumericDate(seconds: seconds))
        #expect(minted.expiresAt - minted.issuedAt == 3600)
    }

    @Test(
        "No token is minted at an impossible time",
        arguments: [59, 0, -1_000_000, 253_402_297_260, 1_795_211_520_000] as [Int64]
    )
    func impossibleTimes(seconds: Int64) async throws {
        let minter = try Accounts.minter()
        await #expect {
            try await minter.mint(.server, now: NumericDate(seconds: seconds))
        } throws: {
            ($0 as? MintingError)?.code == .wrongToken
        }
    }

    @Test("Only kinds with a signer are offered", arguments: TokenKind.allCases)
    func kinds(kind: TokenKind) async throws {
        let signer = LocalSigner(try Accounts.first())
        let minter = TokenMinter(signers: [kind: signer])
        for sample in KindSample.allCases {
            let scope = try sample.scope()
            if sample.kind == kind {
                #expect(try await minter.mint(scope, now: Accounts.now).scope == scope)
            } else {
                await #expect {
                    try await minter.mint(scope, now: Accounts.now)
                } throws: {
                    ($0 as? TokenError)?.reason == .kindNotGranted
                }
            }
        }
    }

    @Test("Random scopes, lifetimes and times are read back by other libraries", arguments: 0..<8)
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let minter = try Accounts.minter()
        let verifier = try await JWTKitVerifier(jwks: try minter.keys().encoded())
        for _ in 0..<15 {
            let sample = try RandomScope(using: &generator)
            let lifetime = try TokenLifetime(seconds: Int64.random(in: TokenLifetime.allowed, using: &generator))
            let now = NumericDate(seconds: Int64.random(in: 1_000_000_000...4_000_000_000, using: &generator))
            let minted = try await minter.mint(sample.scope, lifetime: lifetime, now: now)
            let verified = try await verifier.verify(minted.token.reveal())
            #expect(verified.authorization == sample.authorization)
            #expect(verified.issuedAt == now.seconds - 60)
            #expect(verified.expiresAt == now.seconds + lifetime.seconds)
            let response = minted.response(at: now)
            #expect(response.issuedAt == now - 60 && response.expiresAt == now + lifetime.seconds)
            #expect(minted.issuedAt == response.issuedAt && minted.expiresAt == response.expiresAt)
        }
    }
}
