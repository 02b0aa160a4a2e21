import ExpiringCache
import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import TestTime
import TestTraits
import Testing
import Timing

@testable import TokenMinting

/// Signing at Google when Google does as it documents.
@Suite(.watchdog) struct IAMSignerTests {
    @Test(arguments: KindSample.allCases)
    func aTokenOfEachKindVerifiesWithGooglesKeys(sample: KindSample) async throws {
        let scene = try Scene()
        let minted = try await scene.mint(sample)
        let verified = try await JWTKitVerifier(jwks: try scene.google.keySet()).verify(minted.token.reveal())
        #expect(verified.authorization == sample.authorization)
        #expect(minted.keyID == "google-0")
        #expect(scene.google.requests == [.metadata, .signJWT, .keys])
        #expect(scene.google.complaints == [])
    }

    @Test func theAccessTokenAndTheKeysAreKept() async throws {
        let scene = try Scene()
        for _ in 0..<5 { _ = try await scene.mint() }
        #expect(scene.google.count(.metadata) == 1)
        #expect(scene.google.count(.keys) == 1)
        #expect(scene.google.count(.signJWT) == 5)
    }

    @Test func manyAtOnceShareOneAccessTokenAndOneFetchOfKeys() async throws {
        let scene = try Scene()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await scene.mint() } }
            try await group.waitForAll()
        }
        #expect(scene.google.count(.metadata) == 1)
        #expect(scene.google.count(.keys) == 1)
        #expect(scene.google.complaints == [])
    }

    @Test func theKeysArePublishedOnceTheyAreKnown() async throws {
        let scene = try Scene()
        #expect(try scene.minter.keys().keys == [])
        _ = try await scene.mint()
        #expect(try scene.minter.keys().keys.map(\.keyID) == ["google-0"])
    }

    @Test func withAKeyFileItAsksForAccessTokensItself() async throws {
        let scene = try Scene(caller: try Accounts.second())
        _ = try await scene.mint()
        #expect(scene.google.requests == [.oauth, .signJWT, .keys])
        #expect(scene.google.complaints == [])
    }

    @Test func anAccessTokenIsReplacedBeforeItExpires() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: 3300)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 1)
        scene.clock.advance(by: 200)
        _ = try await scene.mint()
        #expect(scene.client.accessTokens.isFetching || scene.google.count(.metadata) == 2)
        while scene.client.accessTokens.isFetching { await Task.yield() }
        scene.clock.advance(by: 99)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 2)
        #expect(scene.google.complaints == [])
    }

    @Test(arguments: [(0, 3600), (3600, -3600), (3600, -7200)] as [(Seconds, Seconds)])
    func clockThatIsSetMakesNoAccessTokenLastLonger(passed: Seconds, set: Seconds) async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: passed)
        scene.clock.setWallClock(by: set)
        _ = try await scene.mint()
        #expect(scene.google.count(.metadata) == 2)
    }

    @Test func theLastAccessTokenServesWhileNoOtherCanBeHad() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.always(.metadata) { _ in throw OutgoingError.failed("down") }
        scene.clock.stop(for: 3500)
        _ = try await scene.mint()
        scene.clock.stop(for: 99)
        let error = try #require(try await scene.failure())
        #expect(error.code == .credentials)
        scene.google.behave()
        scene.clock.advance(by: 60)
        _ = try await scene.mint()
    }

    @Test func aRevokedAccessTokenIsReplacedAndTheRequestIsMadeAgain() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
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

    @Test func keysThatAreMislaidAreNotForgotten() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.always(.keys) { _ in OutgoingResponse(status: 200, body: Secret(#"{"keys":[]}"#)) }
        scene.clock.stop(for: AccountKeys.refreshAfter + 1)
        for _ in 0..<3 { _ = try await scene.mint() }
        #expect(scene.client.accountKeys.isFetching || scene.google.count(.keys) == 2)
        scene.clock.stop(for: AccountKeys.lifetime)
        #expect(try await scene.failure()?.code == .malformed)
    }

    @Test func aNewKeyOfGooglesIsFetched() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: 2)
        scene.google.rotate(to: 1)
        #expect(try await scene.mint().keyID == "google-1")
        #expect(scene.google.count(.keys) == 2)
        #expect(scene.waits == [])
    }

    @Test func aNewKeyRightAfterAFetchIsWaitedFor() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.rotate(to: 1)
        #expect(try await scene.mint().keyID == "google-1")
        #expect(scene.google.count(.keys) == 2)
        #expect(scene.waits.reduce(0, +) >= AccountKeys.refetchInterval)
    }

    @Test func aKeyThatIsNotPublishedIsAskedForAtABoundedRate() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.google.rotate(to: 1, isPublished: false)
        let start = scene.clock.now
        for _ in 0..<10 { #expect(try await scene.failure()?.code == .unavailable) }
        let seconds = scene.clock.now - start
        #expect(seconds > 0)
        #expect(scene.google.count(.keys) <= Int(seconds) + 2)
    }
}
