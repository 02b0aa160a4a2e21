import FleetToken
import JOSE
import Testing
import TokenMinting

@testable import TestSupport

/// Every kind of token, as three independent readers see it: libjwt, jwt-kit and our own verification.
@Suite struct EveryKindTests {
    @Test func theSamplesHaveEveryKind() throws {
        #expect(Set(KindSample.allCases.map(\.kind)) == Set(TokenKind.allCases))
        #expect(try KindSample.allCases.allSatisfy { try $0.scope().kind == $0.kind })
    }

    @Test(arguments: KindSample.allCases, IndependentVerifier.allCases)
    func anotherLibraryReadsWhatWasAskedFor(sample: KindSample, library: IndependentVerifier) async throws {
        let minted = try await Accounts.minter().mint(try sample.scope(), now: Accounts.now)
        let verifier = try await library.verifier(jwks: try Accounts.minter().keys().encoded())
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

    @Test(arguments: KindSample.allCases)
    func ourOwnVerificationFindsNothingWrong(sample: KindSample) async throws {
        let scope = try sample.scope()
        try verify(try await Accounts.minter().mint(scope, now: Accounts.now).token.reveal(), of: sample, scope)
    }

    // Not async: Swift 6.3.1 crashes when it optimizes calls with typed throws in a loop of an async function.
    private func verify(_ token: [UInt8], of sample: KindSample, _ scope: TokenScope) throws {
        for keys in [VerificationKeys.set(try Accounts.keySet()), .key(try Accounts.first().key.publicKey)] {
            #expect(TokenVerification(of: token, keys: keys, scope: scope, now: Accounts.now).failures == [])
        }
        let warnings = try TokenInspection(of: token, now: Accounts.now).warnings
        #expect(warnings.isEmpty == !sample.authorization.values.contains(.text("*")))
    }

    @Test(arguments: KindSample.allCases)
    func mintedTokenSaysWhatTheTokenSays(sample: KindSample) async throws {
        let minted = try await Accounts.minter().mint(try sample.scope(), now: Accounts.now)
        #expect(minted.scope == (try sample.scope()))
        #expect(minted.keyID == "key-1")
        #expect(minted.issuedAt == NumericDate(seconds: 1_795_211_460))
        #expect(minted.expiresAt == NumericDate(seconds: 1_795_215_060))
        #expect(minted.response(at: Accounts.now).token == minted.token)
        #expect(minted.token.reveal().count < CompactJWS.maximumSize)
    }

    @Test(arguments: IndependentVerifier.allCases)
    func anotherLibraryRefusesWhatIsNotGenuine(library: IndependentVerifier) async throws {
        let minted = try await Accounts.minter().mint(try KindSample.consumer.scope(), now: Accounts.now)
        let token = minted.token.reveal()
        let verifier = try await library.verifier(jwks: try Accounts.minter().keys().encoded())
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
        let forgeries = [
            try Forge.token(payload: payload, account: second),
            try Forge.token(header: #"{"alg":"RS256","typ":"JWT","kid":"key-2"}"#, payload: payload, account: second),
            try Forge.token(header: #"{"alg":"HS256","typ":"JWT","kid":"key-1"}"#, payload: payload, account: second),
            try Forge.token(header: #"{"alg":"none","typ":"JWT","kid":"key-1"}"#, payload: payload, account: second),
        ]
        for forgery in forgeries {
            await #expect(throws: (any Error).self) { try await verifier.verify(forgery) }
        }
    }
}
