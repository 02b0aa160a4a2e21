public import Foundation
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

    /// Waits until no fetch runs or is queued: all have ended, with or without a token.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForFetches() async throws {
        // Subscribed before the question, so no end is missed.
        let changes = changes
        guard isFetching else { return }
        for await change in changes where change.name == .fetchFinished {
            guard isFetching else { return }
        }
        try Task.checkCancellation()
    }
}

extension HTTPTokenSource {
    /// Creates a source for tests, whose time limits and device clock are those of a manual clock.
    ///
    /// - Parameters:
    ///   - server: The server's URL.
    ///   - configuration: The settings for requests.
    ///   - clock: The clock.
    ///   - credentials: Returns the header fields that authenticate the caller.
    public convenience init(
        server: URL,
        configuration: Configuration = Configuration(),
        clock: ManualClock,
        credentials: @escaping Credentials = { _ in [:] }
    ) {
        self.init(
            server: server,
            configuration: configuration,
            credentials: credentials,
            scheduler: clock.environment(random: 0.5).scheduler
        ) { clock.now.timeIntervalSince1970 }
    }
}
