import FleetToken
import JOSE
import Testing
import TokenMinting

@testable import TestSupport

@Suite("Every kind of token, as jwt-kit sees it")
struct EveryKindTests {
    @Test("Another library verifies each kind and reads what was requested", arguments: KindSample.allCases)
    func otherLibrary(sample: KindSample) async throws {
        let minted = try await Accounts.minter().mint(try sample.scope(), now: Accounts.now)
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

    @Test("A minted token’s properties are those of the token", arguments: KindSample.allCases)
    func mintedToken(sample: KindSample) async throws {
        let minted = try await Accounts.minter().mint(try sample.scope(), now: Accounts.now)
        #expect(minted.scope == (try sample.scope()))
        #expect(minted.keyID == "key-1")
        #expect(minted.issuedAt == NumericDate(seconds: 1_795_211_460))
        #expect(minted.expiresAt == NumericDate(seconds: 1_795_215_060))
        #expect(minted.response(at: Accounts.now).token == minted.token)
        #expect(minted.token.reveal().count < CompactJWS.maximumSize)
    }

    @Test("Another library refuses changed and forged tokens")
    func forgeries() async throws {
        let minted = try await Accounts.minter().mint(try KindSample.consumer.scope(), now: Accounts.now)
        let token = minted.token.reveal()
        let verifier = try await JWTKitVerifier(jwks: try Accounts.minter().keys().encoded())
        _ = try await verifier.verify(token)
        let parts = token.split(separator: UInt8(ascii: ".")).map(Array.init)
        for part in 0..<3 {
            var parts = parts
            parts[part][parts[part].count / 2] ^= 1
            let changed = Array(parts.joined(separator: [UInt8(ascii: ".")]))
            await #expect(throws: (any Error).self) { try await verifier.verify(changed) }
        }
        let payload = try CompactJWS(parsing: token).payload
        let second = try Accounts.second()
        let forged = [
            try Forge.token(payload: payload, account: second),
            try Forge.token(header: #"{"alg":"RS256","typ":"JWT","kid":"key-2"}"#, payload: payload, account: second),
            try Forge.token(header: #"{"alg":"HS256","typ":"JWT","kid":"key-1"}"#, payload: payload, account: second),
            try Forge.token(header: #"{"alg":"none","typ":"JWT","kid":"key-1"}"#, payload: payload, account: second),
        ]
        for forgery in forged {
            await #expect(throws: (any Error).self) { try await verifier.verify(forgery) }
        }
    }
}
