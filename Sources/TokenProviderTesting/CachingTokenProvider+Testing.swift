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
        observer: Observer? = nil,
        clock: ManualClock
    ) {
        let environment = clock.environment(random: 0.5)
        self.init(configuration: configuration, observer: observer, environment: environment) {
            try await source.fetchToken(for: $0)
        }
    }
}
