import Testing
import TokenProvider
import TokenProviderTesting

@testable import Failover

/// When the second server is asked.
struct FailoverTests {
    private let first = ScriptedTokenSource { _, _ in FetchedToken("first", lifetime: 3540) }
    private let second = ScriptedTokenSource { _, _ in FetchedToken("second", lifetime: 3540) }

    private func value() async throws -> String {
        let tokens = CachingTokenProvider(source: FailoverTokenSource(first, second), clock: ManualClock())
        return try await tokens.token(for: .server).revealText()
    }

    @Test("The first server's token is used if there is one")
    func first() async throws {
        #expect(try await value() == "first")
        #expect(second.contexts.isEmpty)
    }

    @Test(
        "The second server's token is used while the first is not available",
        arguments: [TokenErrorCode.unavailable, .deadlineExceeded, .resourceExhausted]
    )
    func outage(code: TokenErrorCode) async throws {
        first.fail(TokenProviderError(code, "Out of order."))
        #expect(try await value() == "second")
    }

    @Test(
        "An explicit refusal is final, and so is a missing network",
        arguments: [TokenErrorCode.permissionDenied, .unauthenticated, .offline]
    )
    func refusal(code: TokenErrorCode) async {
        first.fail(TokenProviderError(code, "No."))
        let error = await #expect(throws: TokenProviderError.self) { try await value() }
        #expect(error?.code == code)
        #expect(second.contexts.isEmpty)
    }

    @Test("If neither is available, the shorter of their delays counts")
    func both() async {
        first.fail(TokenProviderError(.unavailable, "Later.", retryAfter: 60))
        second.fail(TokenProviderError(.resourceExhausted, "Later.", retryAfter: 5))
        let error = await #expect(throws: TokenProviderError.self) { try await value() }
        #expect(error?.code == .resourceExhausted)
    }
}
