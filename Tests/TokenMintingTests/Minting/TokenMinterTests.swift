import FleetToken
import JOSE
import ServiceSupport
import Testing
import TokenMinting

@testable import TestSupport

struct TokenMinterTests {
    @Test(arguments: KindSample.allCases)
    func `Another library verifies each kind and reads what was requested`(sample: KindSample) async throws {
        let minted = try await Accounts.minter().mint(try sample.scope(), now: Accounts.now)
        #expect(minted.scope == (try sample.scope()))
        #expect(minted.keyID == "key-1")
        #expect(minted.issuedAt == Accounts.now - 60 && minted.expiresAt == Accounts.now + 3540)
        #expect(minted.response(at: Accounts.now).token == minted.token)
        #expect(minted.token.reveal().count < CompactJWS.maximumSize)
        let verifier = try await JWTKitVerifier(jwks: try Accounts.minter().keys().encoded())
        let expected = VerifiedToken(
            header: ["alg": "RS256", "typ": "JWT", "kid": "key-1"],
            claimNames: ["iss", "sub", "aud", "iat", "exp", "authorization"],
            issuer: "Kilo@development.invalid",
            subject: "Kilo@development.invalid",
            audience: ["https://fleetengine.googleapis.com/"],
            issuedAt: 1_795_211_460,
            expiresAt: 1_795_215_060,
            authorization: sample.authorization
        )
        #expect(try await verifier.verify(minted.token.reveal()) == expected)
    }

    @Test(
        arguments: [60, 1_795_211_520, 253_402_297_259] as [Int64]
    )
    func `Tokens are minted from the epoch to the year 9999`(seconds: Int64) async throws {
        let minted = try await Accounts.minter().mint(.server, now: NumericDate(seconds: seconds))
        #expect(minted.expiresAt - minted.issuedAt == 3600)
    }

    @Test(
        arguments: [59, 0, -1_000_000, 253_402_297_260, 1_795_211_520_000] as [Int64]
    )
    func `No token is minted at an impossible time`(seconds: Int64) async throws {
        let minter = try Accounts.minter()
        await #expect {
            try await minter.mint(.server, now: NumericDate(seconds: seconds))
        } throws: {
            $0 is OperatorError
        }
    }

    @Test(arguments: TokenKind.allCases)
    func `Only kinds with a signer are offered`(kind: TokenKind) async throws {
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
}
