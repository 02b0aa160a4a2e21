import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

@Suite(.watchdog)
struct ObjectiveCTokenProviderTests {
    private let script = ScriptedTokens()

    private func fetch(
        _ start: (@escaping @Sendable (String?, (any Error)?) -> Void) -> Void
    ) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            start { token, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
        }
    }

    @Test
    func `The Objective-C provider shares the cache of its Swift provider`() async throws {
        let tokens = FleetTokenProvider(fetch: script.fetch)
        let view = ObjectiveCTokenProvider(tokens)
        #expect(try await tokens.token(for: .trip("trip-1")).text == "token 1")
        #expect(try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) } == "token 1")
        view.invalidateToken(tripID: "trip-1")
        #expect(try await tokens.token(for: .trip("trip-1")).text == "token 2")
        view.removeAllTokens()
        #expect(try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) } == "token 3")
    }

    @Test
    func `The role decides the kind, and only a trusted driver's token names the task`() async throws {
        let view = ObjectiveCTokenProvider(FleetTokenProvider(fetch: script.fetch))
        for role in [DriverRole.onDemand, .delivery, .trustedDelivery] {
            _ = try await fetch { view.fetchToken(vehicleID: "v", taskID: "t", role: role, completion: $0) }
        }
        #expect(
            script.requests.map(\.scope) == [
                .vehicle("v"), .deliveryVehicle("v"), .trustedDeliveryVehicle("v", task: "t"),
            ]
        )
    }

    @Test(arguments: [nil, "", "..", "a/b"] as [String?])
    func `A missing context is an NSError of the domain`(id: String?) async throws {
        let view = ObjectiveCTokenProvider(FleetTokenProvider(fetch: script.fetch))
        let error = await #expect(throws: (any Error).self) {
            try await fetch { view.fetchToken(tripID: id, completion: $0) }
        }
        #expect((error as NSError?)?.domain == TokenProviderError.errorDomain)
        #expect((error as NSError?)?.code == 1001)
        #expect(script.requests.isEmpty)
    }

    /// Exactly once, with a token or an error, and never within the call.
    @Test(arguments: ["trip-1", nil] as [String?])
    func `A completion never runs within the call`(id: String?) async throws {
        let tokens = FleetTokenProvider(fetch: script.fetch)
        _ = try await tokens.token(for: .trip("trip-1"))
        let view = ObjectiveCTokenProvider(tokens)
        for _ in 0..<100 {
            await withCheckedContinuation { continuation in
                let thread = ObjectIdentifier(Thread.current)
                let isCalling = Lock(true)
                view.fetchToken(tripID: id) { _, _ in
                    #expect(!(ObjectIdentifier(Thread.current) == thread && isCalling.withLock { $0 }))
                    continuation.resume()
                }
                isCalling.withLock { $0 = false }
            }
        }
    }

    @Test
    func `A fetch block is a source of tokens`() async throws {
        let view = ObjectiveCTokenProvider { kind, id, taskID, mustBeNew, completion in
            completion("\(kind) \(id ?? "") \(taskID ?? "") \(mustBeNew)", 3540, nil)
        }
        let text = try await fetch {
            view.fetchToken(vehicleID: "v", taskID: "t", role: .trustedDelivery, completion: $0)
        }
        #expect(text == "trusted_delivery_driver v t false")
    }

    @Test(arguments: [(1003, TokenProviderError.Code.permissionDenied), (2005, .resourceExhausted), (7, .unavailable)])
    func `An NSError of the library's domain → the error with its code and delay`(
        number: Int,
        code: TokenProviderError.Code
    ) async throws {
        let provider = ObjectiveCTokenProvider { _, _, _, _, completion in
            let userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Wait.", "FleetTokenRetryAfter": 7.0]
            completion(nil, 0, NSError(domain: "FleetToken.TokenProviderError", code: number, userInfo: userInfo))
        }
        let failure = await #expect(throws: (any Error).self) {
            try await fetch { provider.fetchToken(tripID: "trip-1", completion: $0) }
        }
        let error = try #require(failure as? TokenProviderError)
        #expect(error.code == code && error.message == "Wait.")
        #expect(error.retryAfter ?? 0 >= 7)
    }

    @Test(arguments: [(0.0, true), (-5, false)])
    func `A lifetime of 0 → the claims count, and less → the token has expired`(
        lifetime: TimeInterval,
        isValid: Bool
    ) async throws {
        let view = ObjectiveCTokenProvider { _, _, _, _, completion in
            completion(Token.jwt(for: .trip("trip-1")), lifetime, nil)
        }
        let token = try? await fetch { view.fetchToken(tripID: "trip-1", completion: $0) }
        #expect((token != nil) == isValid)
    }

    /// B23.
    @Test
    func `The first of two completions counts`() async throws {
        let view = ObjectiveCTokenProvider { _, _, _, _, completion in
            completion("one", 3540, nil)
            completion(nil, 0, CancellationError())
            completion("two", 3540, nil)
        }
        #expect(try await fetch { view.fetchToken(tripID: "t", completion: $0) } == "one")
    }

    /// B23, B48.
    @Test
    func `A completion that is never called is an error after the time limit`() async throws {
        let view = ObjectiveCTokenProvider { _, _, _, _, _ in }
        let error = await #expect(throws: (any Error).self) {
            try await fetch { view.fetchToken(tripID: "t", completion: $0) }
        }
        #expect((error as NSError?)?.code == TokenProviderError.Code.unavailable.rawValue)
    }

    @Test
    func `A credentials block that returns nil means that no user is signed in`() async throws {
        let server = try FakeTokenServer()
        let isSignedIn = Lock(false)
        let view = ObjectiveCTokenProvider(serverURL: server.url) { wereRejected, completion in
            #expect(!wereRejected)
            DispatchQueue.global().async {
                completion(isSignedIn.withLock { $0 } ? ["Authorization": "Bearer a"] : nil, nil)
            }
        }
        let error = await #expect(throws: (any Error).self) {
            try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) }
        }
        #expect((error as NSError?)?.code == TokenProviderError.Code.unauthenticated.rawValue)
        #expect(server.requests.isEmpty)
        isSignedIn.withLock { $0 = true }
        view.credentialsDidChange()
        for _ in 1...2 { _ = try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) } }
        #expect(server.requests.map { $0["authorization"] } == ["Bearer a"])
        #expect(server.violations == [])
    }
}
