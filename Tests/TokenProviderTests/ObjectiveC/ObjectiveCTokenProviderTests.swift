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
    func `Each kind of vehicle has its own token, and reports concern it alone`() async throws {
        let view = ObjectiveCTokenProvider(FleetTokenProvider(fetch: script.fetch))
        func texts() async throws -> [String?] {
            [
                try await fetch { view.fetchToken(vehicleID: "v", completion: $0) },
                try await fetch { view.fetchToken(deliveryVehicleID: "v", completion: $0) },
                try await fetch { view.fetchToken(trustedDeliveryVehicleID: "v", taskID: "t", completion: $0) },
            ]
        }
        #expect(try await texts() == ["token 1", "token 2", "token 3"])
        let scopes = [TokenScope.vehicle("v"), .deliveryVehicle("v"), .trustedDeliveryVehicle("v", task: "t")]
        #expect(script.requests.map(\.scope) == scopes)
        view.invalidateToken(vehicleID: "v")
        #expect(try await texts() == ["token 4", "token 2", "token 3"])
        view.invalidateToken(deliveryVehicleID: "v")
        #expect(try await texts() == ["token 4", "token 5", "token 3"])
        view.invalidateToken(trustedDeliveryVehicleID: "v", taskID: "t")
        #expect(try await texts() == ["token 4", "token 5", "token 6"])
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

    /// With a token or with an error.
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

    /// Returns the error of a call with a credentials block.
    private func failure(
        _ credentials:
            @escaping @Sendable (Bool, @escaping @Sendable ([String: String]?, (any Error)?) -> Void) -> Void
    ) async throws -> TokenProviderError? {
        let view = ObjectiveCTokenProvider(serverURL: try FakeTokenServer().url, credentials: credentials)
        return await #expect(throws: TokenProviderError.self) {
            try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) }
        }
    }

    @Test(arguments: [(1003, TokenProviderError.Code.permissionDenied), (2005, .resourceExhausted), (7, .unavailable)])
    func `An NSError of the library's domain is the error with its code`(
        number: Int,
        code: TokenProviderError.Code
    ) async throws {
        let error = try await failure { _, completion in
            let userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Wait."]
            completion(nil, NSError(domain: "FleetToken.TokenProviderError", code: number, userInfo: userInfo))
        }
        #expect(error?.code == code && error?.message == "Wait.")
    }

    @Test
    func `The delay of an NSError of the library's domain is that of the error`() {
        let userInfo: [String: Any] = ["FleetTokenRetryAfter": 7.0]
        let error = NSError(domain: "FleetToken.TokenProviderError", code: 2005, userInfo: userInfo)
        #expect(TokenProviderError(source: error).retryAfter == 7)
    }

    @Test
    func `The first of two completions counts`() async throws {
        let server = try FakeTokenServer()
        let view = ObjectiveCTokenProvider(serverURL: server.url) { _, completion in
            completion(["Authorization": "Bearer one"], CancellationError())
            completion(nil, CancellationError())
            completion(["Authorization": "Bearer two"], nil)
        }
        _ = try await fetch { view.fetchToken(tripID: "trip-1", completion: $0) }
        #expect(server.requests.map { $0["authorization"] } == ["Bearer one"])
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
