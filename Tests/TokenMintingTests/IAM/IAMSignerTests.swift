import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct IAMSignerTests {
    @Test(arguments: KindSample.allCases)
    func `A token of each kind verifies with Google’s keys, which are published then`(sample: KindSample) async throws {
        let scene = try Scene()
        #expect(try scene.minter.keys().keys == [])
        let minted = try await scene.mint(sample)
        #expect(try scene.minter.keys().keys.map(\.keyID) == ["google-0"])
        let verified = try await JWTKitVerifier(jwks: try scene.google.keySet()).verify(minted.token.reveal())
        #expect(verified.authorization == sample.authorization)
        #expect(minted.keyID == "google-0")
        #expect(scene.google.requests == [.metadata, .signJWT, .keys])
        #expect(scene.google.complaints == [])
    }

    @Test
    func `Fifty concurrent signatures share one access token and one fetch of keys`() async throws {
        let scene = try Scene()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await scene.mint() } }
            try await group.waitForAll()
        }
        #expect(scene.google.count(.metadata) == 1)
        #expect(scene.google.count(.keys) == 1)
        #expect(scene.google.complaints == [])
    }

    @Test
    func `With a key file it requests access tokens itself`() async throws {
        let scene = try Scene(caller: try Accounts.second())
        _ = try await scene.mint()
        #expect(scene.google.requests == [.oauth, .signJWT, .keys])
        #expect(scene.google.complaints == [])
    }

    @Test
    func `An access token is replaced before it expires`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: 3300)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 1)
        scene.clock.advance(by: 200)
        _ = try await scene.mint()
        #expect(scene.client.accessTokens.isFetching || scene.google.count(.metadata) == 2)
        try await until { !scene.client.accessTokens.isFetching }
        scene.clock.advance(by: 99)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 2)
        #expect(scene.google.complaints == [])
    }

    @Test
    func `The last access token serves until it expires while no other can be fetched`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.always(.metadata) { _ in throw OutgoingError.failed("down") }
        scene.clock.stop(for: 3500)
        _ = try await scene.mint()
        scene.clock.stop(for: 99)
        #expect(try #require(try await scene.failure()).description.contains("metadata server (down)"))
        scene.google.behave()
        scene.clock.advance(by: 60)
        _ = try await scene.mint()
    }

    @Test
    func `A revoked access token is replaced, and the request is sent again`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: GoogleClient.tokenRefetchInterval / .seconds(1))
        scene.google.revokeTokens()
        _ = try await scene.mint()
        #expect(scene.google.requests == [.metadata, .signJWT, .keys, .signJWT, .metadata, .signJWT])
        // The new one is used from now on.
        _ = try await scene.mint()
        #expect(scene.google.count(.signJWT) == 4)
        #expect(scene.waits == [])
        // And no longer than any other.
        scene.clock.advance(by: 3590)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 3)
    }

    @Test
    func `An empty key set does not replace the last one`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.always(.keys) { _ in OutgoingResponse(status: 200, body: Secret(#"{"keys":[]}"#)) }
        scene.clock.stop(for: GoogleClient.keysRefreshAfter / .seconds(1) + 1)
        for _ in 0..<3 { _ = try await scene.mint() }
        #expect(scene.client.accountKeys.isFetching || scene.google.count(.keys) == 2)
        scene.clock.stop(for: GoogleClient.keysLifetime / .seconds(1))
        #expect(try #require(try await scene.failure()).description.contains("publishes no keys"))
    }

    @Test(arguments: [2, 0] as [Double])
    func `A new key of Google’s is fetched, and right after a fetch it is waited for`(age: Double) async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: age)
        scene.google.rotate(to: 1)
        #expect(try await scene.mint().keyID == "google-1")
        #expect(scene.google.count(.keys) == 2)
        let waited = scene.waits.reduce(0, +)
        #expect(age == 0 ? waited >= GoogleClient.keysRefetchInterval / .seconds(1) : waited == 0)
    }

    @Test
    func `A key that is not published is fetched at a bounded rate`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.rotate(to: 1, isPublished: false)
        let start = scene.clock.now
        for _ in 0..<10 { #expect(try await scene.failure()?.description.contains("not published") == true) }
        let seconds = scene.clock.now - start
        #expect(seconds > 0)
        #expect(scene.google.count(.keys) <= Int(seconds) + 2)
    }

    @Test
    func `No error or log shows what is sent to Google`() async throws {
        let scene = try Scene(caller: try Accounts.second())
        _ = try await scene.mint()
        let token = try #require(scene.google.tokens.first)
        var request = OutgoingRequest(.post, "https://example.invalid")
        request.bearer = token
        request.body = Secret(#"{"payload":"{}"}"#)
        let answer = OutgoingResponse(status: 200, body: token)
        let values: [Any] = [
            scene.client, scene.signer(), request, answer,
            try GoogleRequests.signature(in: scene.google.signed(request).body),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let shows = ["\(value)", String(reflecting: value), dumped].contains { text in
                text.contains(token.revealText()) || text.contains("eyJ") || text.contains("PRIVATE")
            }
            #expect(!shows, "\(type(of: value))")
        }
    }
}
