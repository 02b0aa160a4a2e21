import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite("The authorization of Google's SDKs", .watchdog)
struct SDKAuthorizationTests {
    private let source = ScriptedSource()

    private func consumer(_ provider: CachingTokenProvider, _ tripID: String?) async throws -> String? {
        try await consumer(SDKAuthorization { provider }, tripID)
    }

    private func consumer(_ provider: SDKAuthorization, _ tripID: String?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            provider.fetchToken(tripID: tripID) { token, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
        }
    }

    @Test("The ID of the context becomes the scope", arguments: ["trip-1", "naïve東京", "a@b=c+d$e!(f)"])
    func scope(id: String) async throws {
        let provider = CachingTokenProvider(source: source)
        #expect(try await consumer(provider, id) == "token 1")
        #expect(source.scopes == [.consumer(trip: try ResourceID(id))])
    }

    @Test("The role decides the kind, and only a trusted driver's token names the task")
    func roles() async throws {
        let tokens = CachingTokenProvider(source: source)
        let authorization = SDKAuthorization { tokens }
        for role in [DriverRole.onDemand, .delivery, .trustedDelivery] {
            await withCheckedContinuation { continuation in
                authorization.fetchToken(vehicleID: "v", taskID: "t", role: role) { _, _ in continuation.resume() }
            }
        }
        let (vehicle, task) = (try ResourceID("v"), try ResourceID("t"))
        #expect(
            source.scopes == [
                .driver(vehicle: vehicle), .deliveryDriver(vehicle: vehicle),
                .trustedDeliveryDriver(vehicle: vehicle, task: task),
            ]
        )
    }

    @Test(
        "Samples: A missing context and an ID that Fleet Engine doesn't allow are errors, and nothing is fetched",
        arguments: [nil, "", "..", "../server", "//evil.example", "a/b", "*", "a*b", "e\u{301}", "a\n"] as [String?]
    )
    func invalidContext(id: String?) async throws {
        let provider = CachingTokenProvider(source: source)
        let error = await #expect(throws: TokenProviderError.self) { try await consumer(provider, id) }
        #expect(error?.code == .invalidContext)
        #expect(error?.needsAction == true)
        #expect(source.count == 0)
    }

    @Test(
        "The completion never runs within the call, with a token or an error",
        arguments: ["trip-1", nil] as [String?]
    )
    func asynchronous(id: String?) async throws {
        let provider = CachingTokenProvider(source: source)
        _ = try await provider.token(for: .trip("trip-1"))
        let authorization = SDKAuthorization { provider }
        for _ in 0..<100 {
            await withCheckedContinuation { continuation in
                let thread = ObjectIdentifier(Thread.current)
                let isCalling = Lock(true)
                authorization.fetchToken(tripID: id) { _, _ in
                    #expect(!(ObjectIdentifier(Thread.current) == thread && isCalling.withLock { $0 }))
                    continuation.resume()
                }
                isCalling.withLock { $0 = false }
            }
        }
    }

    @Test("Dropping a token of an SDK's makes the next call fetch; dropping what is not there does nothing")
    func invalidate() async throws {
        let tokens = CachingTokenProvider(source: source)
        let provider = SDKAuthorization { tokens }
        #expect(try await consumer(provider, "trip-1") == "token 1")
        provider.invalidateToken(tripID: "trip-2")
        provider.invalidateToken(tripID: "../server")
        provider.invalidateToken(vehicleID: "trip-1", taskID: nil, role: .onDemand)
        #expect(try await consumer(provider, "trip-1") == "token 1")
        provider.invalidateToken(tripID: "trip-1")
        #expect(try await consumer(provider, "trip-1") == "token 2")
    }

    @Test("The provider is asked for at each call, so that an app can change accounts")
    func accounts() async throws {
        let current = Lock<(any TokenProviding)?>(nil)
        let authorization = SDKAuthorization { current.withLock { $0 } }
        let error = await #expect(throws: TokenProviderError.self) { try await consumer(authorization, "trip-1") }
        #expect(error?.code == .unauthenticated)
        current.withLock { $0 = CachingTokenProvider { _ in FetchedToken("one", lifetime: 3600) } }
        #expect(try await consumer(authorization, "trip-1") == "one")
        current.withLock { $0 = CachingTokenProvider { _ in FetchedToken("two", lifetime: 3600) } }
        #expect(try await consumer(authorization, "trip-1") == "two")
        authorization.invalidateToken(tripID: "trip-1")
        current.withLock { $0 = nil }
        authorization.invalidateToken(tripID: "trip-1")
    }
}
