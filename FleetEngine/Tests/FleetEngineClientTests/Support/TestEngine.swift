import FleetEngineClient
import Foundation
import TestTime

@testable import TokenProvider

/// An engine with a scripted network, virtual time, and tokens `token 1`, `token 2` and so on.
struct TestEngine {
    let time: TestClock
    /// The time limits of token fetches, which never pass.
    private let fetchTime = TestClock()
    let network: ScriptedNetwork
    let tokens: CachingTokenProvider
    let fetches = Journal<TokenFetchContext>()
    let engine: FleetEngine

    init(
        _ network: ScriptedNetwork,
        provider: String = "demo",
        server: String = "https://engine.example",
        time: TestClock = TestClock()
    ) throws {
        self.time = time
        self.network = network
        let fetches = fetches
        var environment = time.environment()
        environment.scheduler = fetchTime.environment().scheduler
        tokens = CachingTokenProvider(
            configuration: .init(),
            observer: nil,
            environment: environment
        ) { context in
            FetchedToken(Secret("token \(fetches.append(context))"), lifetime: 3540)
        }
        var configuration = FleetEngine.Configuration()
        configuration.transport = network.transport
        if let url = URL(string: server) { configuration.server = url }
        engine = FleetEngine(
            provider: (provider),
            tokens: tokens,
            configuration: configuration,
            environment: time.environment(),
            timeouts: time.environment().scheduler
        )
    }

    init(_ answers: [ScriptedAnswer]) throws {
        try self.init(ScriptedNetwork(answers))
    }

    func model(_ id: String = "t1", interval: Double = 5) throws -> TripModel {
        engine.tripModel(for: (id), autoRefreshTimeInterval: interval)
    }
}

extension TestClock {
    /// What a provider and an engine take from the world, with chance that always draws the same.
    func environment(random: Double = 1) -> ProviderEnvironment {
        ProviderEnvironment(clock: cache, scheduler: scheduler, random: { random })
    }

    /// Waits until a timeout runs, and advances to what is due next.
    ///
    /// - Returns: The seconds that have passed.
    @discardableResult
    func next() async -> Double {
        await waitForTimeouts()
        return advanceToNext()
    }
}
