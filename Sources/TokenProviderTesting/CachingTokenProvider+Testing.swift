public import TokenProvider

extension CachingTokenProvider {
    /// Creates a provider for tests, whose time is a manual clock's and whose chance always draws the same.
    ///
    /// A refresh begins at a fixed moment, and pauses after failures have a fixed length.
    ///
    /// - Parameters:
    ///   - source: Where the tokens come from, such as a ``ScriptedTokenSource``.
    ///   - configuration: How tokens are kept and refreshed.
    ///   - observer: Is told what happens.
    ///   - clock: The time.
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
