import ExpiringCache
import Foundation
import TestTime
import TestTraits
import Testing
import Timing

@testable import TokenProvider

@Suite("Credentials that come through a completion handler", .watchdog)
struct CallbackCredentialsTests {
    /// The credentials of a first fetch.
    private func credentials(
        from callback: @escaping @Sendable (Bool, @escaping CallbackCredentials.Completion) -> Void
    ) -> @Sendable () async throws -> [String: String] {
        let credentials = CallbackCredentials.credentials(from: callback)
        return { try await credentials(TokenFetchContext(scope: .server)) }
    }

    @Test("The callback is told whether the last credentials were rejected")
    func rejected() async throws {
        let credentials = CallbackCredentials.credentials { $1(["Renewed": "\($0)"], nil) }
        let again = TokenFetchContext(scope: .server, reason: .credentialsRejected)
        #expect(try await credentials(TokenFetchContext(scope: .server)) == ["Renewed": "false"])
        #expect(try await credentials(again) == ["Renewed": "true"])
    }

    @Test("Called once, now or later")
    func once() async throws {
        let now = credentials { $1(["A": "1"], nil) }
        #expect(try await now() == ["A": "1"])
        let later = credentials { _, completion in
            DispatchQueue.global().async { completion(["A": "2"], nil) }
        }
        #expect(try await later() == ["A": "2"])
    }

    @Test("Called twice, the first counts", .tags(.b23))
    func twice() async throws {
        let credentials = self.credentials { _, completion in
            completion(["A": "1"], nil)
            completion(nil, CancellationError())
            completion(["A": "2"], nil)
        }
        #expect(try await credentials() == ["A": "1"])
    }

    @Test("Never called, it is an error and no hang", .tags(.b23))
    func never() async {
        let credentials = self.credentials { _, _ in }
        let error = await #expect(throws: TokenProviderError.self) { try await credentials() }
        #expect(error?.needsAction == false)
    }

    @Test("Kept and never called, it ends with the fetch; called after that, it has no effect", .tags(.b48))
    func keptForEver() async throws {
        let kept = Lock<CallbackCredentials.Completion?>(nil)
        let called = Latch()
        let credentials = self.credentials { _, completion in
            kept.withLock { $0 = completion }
            called.open()
        }
        let call = Task { try await credentials() }
        await called.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        kept.withLock { $0 }?(["A": "1"], nil)
        let early = Task {
            await called.wait()
            while !Task.isCancelled { await Task.yield() }
            return try await credentials()
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test("With an error, that is thrown; with nothing, no user is signed in")
    func errors() async {
        struct Failure: Error {}
        let failing = credentials { $1(nil, Failure()) }
        await #expect(throws: Failure.self) { try await failing() }
        let signedOut = credentials { $1(nil, nil) }
        let error = await #expect(throws: TokenProviderError.self) { try await signedOut() }
        #expect(error?.code == .unauthenticated)
    }
}
