import ExpiringCache
import FleetToken
import Foundation
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite("A backend that starts with many vehicles", .watchdog(seconds: 30))
struct ColdStartTests {
    @Test("5,000 vehicles at once, from a server that takes 50 ms, all get their token in eight seconds", .tags(.b56))
    func fiveThousandVehicles() async throws {
        let clock = ManualClock()
        let start = clock.now
        let source = ScriptedTokenSource(delay: 0.05, clock: clock)
        var configuration = CachingTokenProvider.Configuration()
        configuration.capacity = 5_000
        let waiting = Lock(0)
        let tokens = CachingTokenProvider(
            source: source,
            configuration: configuration,
            observer: { if $0.name == .wait { waiting.withLock { $0 += 1 } } },
            clock: clock
        )
        let count = 5_000
        let atOnce = configuration.maximumConcurrentFetches
        let scopes = try (0..<count).map { TokenScope.driver(vehicle: try ResourceID("vehicle-\($0)")) }
        let failures = try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            for scope in scopes {
                group.addTask {
                    do {
                        _ = try await tokens.token(for: scope)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            // All of them wait before the first token comes, as at a cold start.
            while waiting.withLock({ $0 }) < count { await Task.yield() }
            for begun in stride(from: atOnce, to: count + atOnce, by: atOnce) {
                try await clock.waitForSleepers(min(atOnce, count - begun + atOnce))
                #expect(source.contexts.count <= begun)
                clock.advance(by: 0.05)
            }
            var failures: [any Error] = []
            for try await error in group { if let error { failures.append(error) } }
            return failures
        }
        #expect(failures.isEmpty)
        #expect(source.contexts.count == count)
        #expect(scopes.allSatisfy { tokens.cachedToken(for: $0) != nil })
        // 5,000 × 50 ms / 32.
        #expect(abs(clock.now.timeIntervalSince(start) - 7.85) < 0.001)
    }
}
