import EngineCoding
import Foundation

@testable import FleetEngineClient

/// What a token was asked for.
struct TokenFetch: Hashable, Sendable {
    let purpose: TokenPurpose
    let rejected: String?
}

/// An engine with a scripted network, virtual time, and tokens `token1`, `token2` and so on.
struct TestEngine {
    let time: TestClock
    let network: ScriptedNetwork
    let fetches = Journal<TokenFetch>()
    let engine: FleetEngine

    init(
        _ network: ScriptedNetwork,
        provider: String = "demo",
        server: String = "https://engine.example",
        time: TestClock = TestClock()
    ) {
        self.time = time
        self.network = network
        var configuration = FleetEngine.Configuration()
        configuration.transport = network.transport
        configuration.server = server
        configuration.sleep = time.sleep
        configuration.random = { 1 }
        let (fetches, kept) = (fetches, Lock([TokenPurpose: String]()))
        engine = FleetEngine(provider: provider, configuration: configuration) { purpose, rejected in
            kept.withLock { kept in
                if let token = kept[purpose], token != rejected { return token }
                let token = "token\(fetches.append(TokenFetch(purpose: purpose, rejected: rejected)))"
                kept[purpose] = token
                return token
            }
        }
    }

    init(_ answers: [ScriptedAnswer]) {
        self.init(ScriptedNetwork(answers))
    }

    func model(_ id: String = "t1", interval: Double = 5) -> TripModel {
        engine.tripModel(for: id, autoRefreshTimeInterval: interval)
    }
}
