import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// Calls from many tasks, with failures, cancellations, clocks that are set, and users who sign in and out.
@Suite(.watchdog(seconds: 600))
struct StressTests {
    /// `TOKEN_CACHE_CALLS` sets the number of calls.
    private static let calls =
        ProcessInfo.processInfo.environment["TOKEN_CACHE_CALLS"].flatMap { Int($0) } ?? 20_000

    @Test
    func `All calls end`() async throws {
        let clock = ManualClock()
        let outcomes = Lock((tokens: 0, errors: 0, cancelled: 0))
        let provider = FleetTokenProvider(clock: clock, random: 0) { _ in
            for _ in 0..<Int.random(in: 0..<5) { await Task.yield() }
            switch Int.random(in: 0..<10) {
            case 0: throw URLError(.notConnectedToInternet)
            case 1: throw TokenProviderError(.unavailable, "Later.", httpStatus: 503)
            case 2: return Token("short", lifetime: .random(in: 0..<2))
            default: return Token("long", lifetime: .random(in: 1..<4000))
            }
        }
        let workers = 8
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<Self.calls / workers {
                        switch Int.random(in: 0..<400, using: &generator) {
                        case 0: provider.credentialsDidChange()
                        case 1: provider.removeAll()
                        case 2: clock.setDeviceClock(by: .random(in: -5_000...5_000, using: &generator))
                        case 3...40: clock.advance(by: .random(in: 0...40, using: &generator))
                        case 41...60: provider.invalidate(.trip("trip-\(Int.random(in: 0..<20, using: &generator))"))
                        case 61...70: provider.retryNow()
                        default: break
                        }
                        let scope = TokenScope.trip("trip-\(Int.random(in: 0..<20, using: &generator))")
                        let call = Task { try await provider.token(for: scope) }
                        if Int.random(in: 0..<10, using: &generator) == 0 { call.cancel() }
                        switch await call.result {
                        case .success: outcomes.withLock { $0.tokens += 1 }
                        case .failure(is CancellationError): outcomes.withLock { $0.cancelled += 1 }
                        case .failure: outcomes.withLock { $0.errors += 1 }
                        }
                    }
                }
            }
        }
        let (tokens, errors, cancelled) = outcomes.withLock { $0 }
        #expect(tokens > 0 && errors > 0 && cancelled > 0)
        clock.advance(by: 20)
        try await provider.waitForFetches()
    }

    /// After a sign-out has returned, no thread gets a token from before it.
    @Test
    func `After a sign-out no thread gets a token from before it`() async {
        let user = Lock(0)
        let provider = FleetTokenProvider { _ in
            let current = user.withLock { $0 }
            await Task.yield()
            return Token("\(current)", lifetime: 3540)
        }
        await withTaskGroup(of: Void.self) { group in
            let isOver = Lock(false)
            group.addTask {
                for _ in 0..<1_000 {
                    user.withLock { $0 += 1 }
                    provider.removeAll()
                    await Task.yield()
                }
                isOver.withLock { $0 = true }
            }
            for _ in 0..<3 {
                group.addTask {
                    while !isOver.withLock({ $0 }) {
                        // Signed out at least up to here, when the call begins.
                        await Task.yield()
                        let before = user.withLock { $0 } - 1
                        guard let token = try? await provider.token(for: .server) else { continue }
                        #expect(Int(token.text) ?? -1 >= before)
                    }
                }
            }
        }
    }
}
