import Foundation
public import TokenProvider

extension FleetTokenProvider {
    /// Creates a provider for tests, with a manual clock and a fixed random number.
    ///
    /// A refresh begins at a fixed moment, and pauses after failures have a fixed length.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - random: The random number, from 0 to 1.
    ///   - onFetch: Called when a fetch has ended, with nil for a token.
    ///   - fetch: Fetches a token, such as ``ScriptedTokens/fetch(_:)``.
    public convenience init(
        clock: ManualClock,
        random: Double = 0.5,
        onFetch: @escaping @Sendable (TokenScope, TokenProviderError?) -> Void = { _, _ in },
        fetch: @escaping @Sendable (TokenRequest) async throws -> Token
    ) {
        self.init(clock: clock.providerClock(random: random), onFetch: onFetch, fetch: fetch)
    }

    /// Waits until no fetch runs: all have ended, with or without a token.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForFetches() async throws {
        while isFetching {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
