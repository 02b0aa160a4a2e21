import FleetToken
import JOSE
import Testing
import TokenMinting

@testable import TestSupport

@Suite("Every kind of token, as jwt-kit sees it")
struct EveryKindTests {
    @Test("There is a sample of each kind")
    func samples() throws {
        #expect(Set(KindSample.allCases.map(\.kind)) == Set(TokenKind.allCases))
        #expect(try KindSample.allCases.allSatisfy { try $0.scope().kind == $0.kind })
    }

    @Test("Another library verifies each kind and reads what was requested", arguments: KindSample.allCases)
    func otherLibrary(sample: KindSample) async throws {
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
}
