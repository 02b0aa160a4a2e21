import EngineCoding
import Foundation
import TokenProviderTesting

@testable import FleetEngineClient

/// What a token was requested for.
struct TokenFetch: Hashable, Sendable {
    let purpose: TokenPurpose
    let rejected: String?
}

/// An engine with a scripted network, a manual clock, and tokens `token1`, `token2` and so on.
struct TestEngine {
    let clock = ManualClock()
    let network: ScriptedNetwork
    let engine: FleetEngine
    /// Gets an element for each pause that was cancelled.
    let cancelledPauses: AsyncStream<Void>
    private let log = Lock([TokenFetch]())
    private let pauses = Lock([Double]())

    init(
        _ network: ScriptedNetwork,
        provider: String = "demo",
        server: String = "https://engine.example",
        random: Double = 1
    ) {
        self.network = network
        let (cancelledPauses, cancellation) = AsyncStream.makeStream(of: Void.self)
        self.cancelledPauses = cancelledPauses
        var configuration = FleetEngine.Configuration()
        configuration.transport = network.transport
        configuration.server = server
        configuration.sleep = { [pauses, clock] seconds in
            pauses.withLock { $0.append(seconds) }
            do {
                try await clock.sleep(for: seconds)
            } catch {
                cancellation.yield()
                throw error
            }
        }
        configuration.random = { random }
        let kept = Lock([TokenPurpose: String]())
        engine = FleetEngine(provider: provider, configuration: configuration) { [log] purpose, rejected in
            kept.withLock { kept in
                if let token = kept[purpose], token != rejected { return token }
                let count = log.withLock { log in
                    log.append(TokenFetch(purpose: purpose, rejected: rejected))
                    return log.count
                }
                kept[purpose] = "token\(count)"
                return "token\(count)"
            }
        }
    }

    init(_ responses: [ScriptedResponse]) {
        self.init(ScriptedNetwork(responses))
    }

    /// What tokens were requested for.
    var fetches: [TokenFetch] { log.withLock { $0 } }

    func updates(_ trip: String = "t1") -> AsyncStream<FollowEvent<Trip>> {
        engine.updates(ofTrip: trip)
    }

    /// Waits for a pause, and advances the clock to its end.
    ///
    /// - Returns: The pause.
    @discardableResult
    func nextPause() async throws -> Double {
        try await clock.waitForSleepers(1)
        let pause = pauses.withLock { $0.last ?? 0 }
        clock.advance(by: pause)
        return pause
    }
}

extension FollowEvent {
    /// The event as a line.
    func line(_ describe: (Snapshot) -> String) -> String {
        switch self {
        case .state(let state): "state \(state)"
        case .updated(let snapshot): describe(snapshot)
        case .failed(let error): "failed \(error.code.rawValue)"
        case .recovered: "recovered"
        }
    }
}
