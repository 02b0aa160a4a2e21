import ExpiringCache
import Foundation
import Testing

@testable import TokenProvider

/// Credentials that come through a completion, however it is called.
@Suite(.timeLimit(.minutes(1)))
struct CallbackCredentialsTests {
    @Test("Called once, now or later")
    func once() async throws {
        let now = CallbackCredentials.credentials { $0(["A": "1"], nil) }
        #expect(try await now() == ["A": "1"])
        let later = CallbackCredentials.credentials { completion in
            DispatchQueue.global().async { completion(["A": "2"], nil) }
        }
        #expect(try await later() == ["A": "2"])
    }

    @Test("B23: Called twice, the first counts")
    func twice() async throws {
        let credentials = CallbackCredentials.credentials { completion in
            completion(["A": "1"], nil)
            completion(nil, CancellationError())
            completion(["A": "2"], nil)
        }
        #expect(try await credentials() == ["A": "1"])
    }

    @Test("B23: Never called, it is an error and no hang")
    func never() async {
        let credentials = CallbackCredentials.credentials { _ in }
        let error = await #expect(throws: TokenProviderError.self) { try await credentials() }
        #expect(error?.recovery == .retry)
    }

    @Test("B48: Kept and never called, it ends with the fetch; called after that, it has no effect")
    func keptForEver() async throws {
        let kept = Lock<CredentialsCompletion?>(nil)
        let called = Latch()
        let credentials = CallbackCredentials.credentials { completion in
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

    @Test("With an error, that is thrown; with nothing, nobody is signed in")
    func errors() async {
        struct Failure: Error {}
        let failing = CallbackCredentials.credentials { $0(nil, Failure()) }
        await #expect(throws: Failure.self) { try await failing() }
        let signedOut = CallbackCredentials.credentials { $0(nil, nil) }
        let error = await #expect(throws: TokenProviderError.self) { try await signedOut() }
        #expect(error?.code == .unauthenticated)
    }
}
