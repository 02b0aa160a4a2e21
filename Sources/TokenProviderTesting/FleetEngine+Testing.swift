public import FleetEngineClient
public import TokenProvider

extension FleetEngine {
    /// Creates a client for tests, which follows trips and reports vehicles on a manual clock, with a fixed random number.
    ///
    /// - Parameters:
    ///   - provider: The provider ID.
    ///   - tokens: The provider of tokens, such as `.constant("token")`.
    ///   - configuration: The settings for requests; a transport of the test replaces the network.
    ///   - clock: The clock, on which requests are due and time out.
    public convenience init(
        provider: ResourceID,
        tokens: any TokenProviding,
        configuration: Configuration = Configuration(),
        clock: ManualClock
    ) {
        let environment = clock.environment(random: 0.5)
        self.init(
            provider: provider,
            tokens: tokens,
            configuration: configuration,
            environment: environment,
            timeouts: environment.scheduler
        )
    }
}
