import ExpiringCache
public import TokenProvider

extension CachingTokenProvider {
    /// Creates a provider for tests, with a manual clock and a fixed random number.
    ///
    /// A refresh begins at a fixed moment, and pauses after failures have a fixed length.
    ///
    /// - Parameters:
    ///   - source: The source of the tokens, such as a ``ScriptedTokenSource``.
    ///   - configuration: The settings for caching and refreshing.
    ///   - observer: Receives events.
    ///   - clock: The clock.
    public convenience init(
        source: some TokenSource,
        configuration: Configuration = Configuration(),
        observer: (@Sendable (TokenProviderEvent) -> Void)? = nil,
        clock: ManualClock
    ) {
        let environment = clock.environment(random: 0.5)
        self.init(configuration: configuration, observer: observer, environment: environment) {
            try await source.fetchToken(for: $0)
        }
    }

    /// Waits until no fetch runs or is queued: all have ended, with or without a token.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForFetches() async throws {
        // Subscribed before the question, so no end is missed.
        let changes = changes
        guard cache.isFetching else { return }
        for await change in changes where change.name == .fetchFinished {
            guard cache.isFetching else { return }
        }
        try Task.checkCancellation()
    }
}
