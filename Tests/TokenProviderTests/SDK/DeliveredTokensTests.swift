import ExpiringCache
import FleetToken
import TestTime
import TestTraits
import Testing
import TokenProviderTesting

@testable import TokenProvider

@Suite("Reports of rejected tokens that name an ID only", .watchdog)
struct DeliveredTokensTests {
    private let time = TestClock(at: 1_795_211_460)
    private let source = ScriptedSource()
    private let provider: CachingTokenProvider
    private let authorization: SDKAuthorization
    private let scope: TokenScope

    init() throws {
        let provider = CachingTokenProvider(
            configuration: .init(),
            observer: nil,
            environment: time.environment()
        ) { [source] in try await source.fetchToken(for: $0) }
        self.provider = provider
        authorization = SDKAuthorization(clock: time.environment().clock) { provider }
        scope = try .trip("trip-1")
    }

    /// What the SDK gets.
    private func fetch() async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            authorization.fetchToken(tripID: "trip-1") { token, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
        }
    }

    @Test("Late reports of a rejected token leave its successor alone, given out already or not", .tags(.b52))
    func lateReports() async throws {
        #expect(try await fetch() == "token 1")
        authorization.invalidateToken(tripID: "trip-1")
        // The successor comes by another way than the SDK's.
        #expect(try await provider.token(for: scope).value == Secret("token 2"))
        authorization.invalidateToken(tripID: "trip-1")
        #expect(provider.cachedToken(for: scope)?.value == Secret("token 2"))
        // The SDK gets it, and only now hears of what it sent with the first one.
        #expect(try await fetch() == "token 2")
        for _ in 0..<10 {
            authorization.invalidateToken(tripID: "trip-1")
            time.advance(by: 0.4)
            #expect(try await fetch() == "token 2")
        }
        #expect(source.count == 2)
    }

    @Test("A successor that is rejected too is dropped when reports can be of no other", .tags(.b52))
    func rejectedSuccessor() async throws {
        #expect(try await fetch() == "token 1")
        authorization.invalidateToken(tripID: "trip-1")
        #expect(try await fetch() == "token 2")
        time.advance(by: 5)
        authorization.invalidateToken(tripID: "trip-1")
        #expect(provider.cachedToken(for: scope) == nil)
    }

    @Test("A report is about the token that the SDK has, not about a newer one", .tags(.b52))
    func refreshedMeanwhile() async throws {
        #expect(try await fetch() == "token 1")
        time.advance(by: 3_500)
        #expect(try await provider.token(for: scope).value == Secret("token 2"))
        authorization.invalidateToken(tripID: "trip-1")
        #expect(provider.cachedToken(for: scope)?.value == Secret("token 2"))
    }

    @Test("A report of a scope whose token the SDK got elsewhere drops the cached one")
    func givenOutElsewhere() async throws {
        _ = try await provider.token(for: scope)
        authorization.invalidateToken(tripID: "trip-1")
        #expect(provider.cachedToken(for: scope) == nil)
    }

    @Test("A report after a sign-out is about the next user's token, once it can be of no other")
    func signOut() async throws {
        #expect(try await fetch() == "token 1")
        authorization.invalidateToken(tripID: "trip-1")
        provider.removeAll()
        #expect(try await fetch() == "token 2")
        time.advance(by: 5)
        authorization.invalidateToken(tripID: "trip-1")
        #expect(provider.cachedToken(for: scope) == nil)
    }
}
