import Foundation
import TestRandomness
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

/// Real threads and real time.
///
/// To be run with ThreadSanitizer too.
@Suite("The cache under real threads", .serialized, .watchdog)
struct StressTests {
    private static let threads = 8

    /// Everything that can be done to a cache, on all threads at once.
    @Test("A storm of cancellations gives each caller one result and no deadlock", .tags(.b40))
    func stormOfCancellationsDoesntDeadlockAndAnswersEachCallerOnce() async throws {
        let rounds = 1_000
        let cache = quick(lifetime: 0.004)
        let calls = Lock<[(key: Int, call: Task<Int, any Error>)]>([])
        await onThreads(Self.threads) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for round in 0..<rounds {
                let key = Int.random(in: 0..<5, using: &random)
                let call = Task.detached { try await cache.value(for: key) }
                calls.withLock { $0.append((key, call)) }
                switch round % 16 {
                case 0..<6: call.cancel()
                case 6: cache.removeAll()
                case 7: cache.invalidate(key) { _ in true }
                case 8: cache.prefetch([key, key + 1])
                case 9: cache.insert(Fetched(0, lifetime: 0.002), for: key)
                default: _ = cache.cachedValue(for: key)
                }
                if round % 3 == 0 { call.cancel() }
            }
        }
        var values = 0
        for (key, call) in calls.withLock({ $0 }) {
            guard let value = try? await call.value else { continue }
            values += 1
            // A value that was inserted is zero.
            #expect(value == key || value == 0)
        }
        #expect(values > 0)
        #expect(cache.core.withLock { $0.waiters.isEmpty })
    }

    /// Tasks that are cancelled at any moment of their call, from before it to after it.
    @Test("Cancellation races end in a value or an error", .tags(.b41))
    func cancellationRacesEndInAValueOrAnError() async throws {
        let cache = ExpiringCache<Int, Int>(configuration: .patient) { key, _ in
            await Task.yield()
            return Fetched(key, lifetime: 60)
        }
        for start in stride(from: 0, to: 20_000, by: 100) {
            let tasks = (start..<start + 100).map { key in Task.detached { try await cache.value(for: key) } }
            for task in tasks.shuffled() { task.cancel() }
            for (index, task) in tasks.enumerated() {
                switch await task.result {
                case .success(let value): #expect(value == start + index)
                case .failure(let error): #expect(error is CancellationError)
                }
            }
        }
        #expect(cache.core.withLock { $0.waiters.isEmpty })
    }

    /// A value tells in which epoch its fetch began; nobody may be given one of an epoch that was over when they asked.
    @Test("After a sign-out no thread gets an earlier value", .tags(.b26))
    func signOutsAreFencesForAllThreads() async throws {
        let epoch = Lock(0)
        let fence = Lock(0)
        let cache = ExpiringCache<Int, Int>(configuration: .patient) { _, _ in
            let began = epoch.withLock { $0 }
            if began % 2 == 0 { await Task.yield() }
            return Fetched(began, lifetime: 60)
        }
        let readers = (0..<Self.threads).map { reader in
            Task.detached {
                var late = 0
                while fence.withLock({ $0 }) < 500 {
                    // A hit doesn't suspend, so without this the readers would keep the fetches from running.
                    await Task.yield()
                    let before = fence.withLock { $0 }
                    guard let value = try? await cache.value(for: reader % 3) else { continue }
                    if value < before { late += 1 }
                }
                return late
            }
        }
        await onThread {
            for next in 1...500 {
                epoch.withLock { $0 = next }
                cache.removeAll()
                fence.withLock { $0 = next }
                sched_yield()
            }
        }
        for reader in readers { #expect(await reader.value == 0) }
    }

    private func quick(lifetime: Seconds) -> ExpiringCache<Int, Int> {
        var configuration = CacheConfiguration()
        configuration.backoff = 0.0001...0.001
        configuration.fetchTimeout = 0.05
        return ExpiringCache(configuration: configuration) { key, _ in
            if UInt8.random(in: 0...255) < 36 { throw TestError.retryable }
            if UInt8.random(in: 0...255) < 8 { try await Task.sleep(nanoseconds: 1_000_000) }
            return Fetched(key, lifetime: lifetime)
        }
    }
}
