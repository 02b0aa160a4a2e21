import TestTraits
import Testing

@testable import TokenProvider

#if !canImport(ObjectiveC)
// Elsewhere the types are Objective-C's alone.

@Suite("The provider of Objective-C apps", .watchdog)
struct ObjectiveCTokenProviderTests {
    @Test("The app's serverTrust is asked")
    func serverTrust() {
        let configuration = ObjectiveCConfiguration()
        configuration.serverTrust = { _ in false }
        guard case .session(_, .some) = configuration.configuration.http.transport.kind else {
            Issue.record("Nothing asks serverTrust.")
            return
        }
    }

    @Test("After a sign-out the next call fetches another token")
    func signOut() async throws {
        let server = try FakeTokenServer()
        let provider = ObjectiveCTokenProvider(serverURL: server.url, configuration: nil) { $1([:], nil) }
        func fetch() async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                provider.fetchToken(scope: .trip("trip-1")) { _, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
        for _ in 1...2 { try await fetch() }
        #expect(server.requests.count == 1)
        provider.removeAllTokens()
        try await fetch()
        #expect(server.requests.count == 2)
    }
}
#endif
