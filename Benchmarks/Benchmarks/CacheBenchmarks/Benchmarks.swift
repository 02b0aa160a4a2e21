import Benchmark
import CAllocationCount
import Foundation
import Synchronization
import TokenProvider

private let allocations = BenchmarkMetric.custom("Allocations", polarity: .prefersSmaller, useScalingFactor: true)
private let bytesPerScope = BenchmarkMetric.custom("Bytes per scope", polarity: .prefersSmaller)

/// Runs a body as often as the scaling factor says, and counts the allocations of this thread.
private func measure(_ benchmark: Benchmark, _ body: () -> Void) {
    let before = fleet_token_allocation_count()
    for _ in benchmark.scaledIterations { body() }
    benchmark.measurement(allocations, Int(fleet_token_allocation_count() - before))
}

/// Makes as many calls with a completion handler as the scaling factor says, until all have completed, and counts the
/// allocations of all threads.
///
/// - Parameters:
///   - benchmark: The benchmark.
///   - makeCall: Returns a function that makes a call; the call must run the function that it gets, on the queue if it can.
private func measureCalls(
    _ benchmark: Benchmark,
    _ makeCall: (DispatchQueue, @escaping @Sendable () -> Void) -> () -> Void
) {
    let (count, completed, end) = (benchmark.scaledIterations.count, Counter(), DispatchSemaphore(value: 0))
    let call = makeCall(DispatchQueue(label: "completions")) { if completed.increment() == count { end.signal() } }
    let before = fleet_token_total_allocation_count()
    benchmark.startMeasurement()
    for _ in 0..<count { call() }
    end.wait()
    benchmark.stopMeasurement()
    benchmark.measurement(allocations, Int(fleet_token_total_allocation_count() - before))
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
}

private func scopes(_ count: Int) throws -> [TokenScope] {
    try (0..<count).map { .driver(vehicle: try ResourceID("vehicle-\($0)")) }
}

private func provider(_ scopes: [TokenScope], _ token: String) async throws -> CachingTokenProvider {
    var configuration = CachingTokenProvider.Configuration()
    configuration.capacity = max(configuration.capacity, scopes.count)
    let provider = CachingTokenProvider(configuration: configuration) { _ in FetchedToken(token, lifetime: 3540) }
    for scope in scopes { _ = try await provider.token(for: scope) }
    return provider
}

private func tokens(_ scopes: [TokenScope], _ token: String) -> [Token] {
    scopes.map { Token(token, scope: $0, expirationDate: .distantFuture) }
}

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, allocations],
        scalingFactor: .kilo,
        maxDuration: .seconds(3)
    )
    let token = String(repeating: "a", count: 700)

    Benchmark("hit, synchronous: CachingTokenProvider.cachedToken(for:)") { benchmark in
        let scopes = try scopes(64)
        let provider = try await provider(scopes, token)
        benchmark.startMeasurement()
        measure(benchmark) { blackHole(provider.cachedToken(for: scopes[7])) }
    }

    Benchmark("hit, synchronous: a bare lock, dictionary and clock") { benchmark in
        let scopes = try scopes(64)
        let cache = BareCache(tokens(scopes, token))
        benchmark.startMeasurement()
        measure(benchmark) { blackHole(cache.token(for: scopes[7])) }
    }

    Benchmark("the count of allocations itself: one array of 64 bytes") { benchmark in
        measure(benchmark) { blackHole([UInt8](repeating: 0, count: 64)) }
    }

    Benchmark("hit, asynchronous: CachingTokenProvider.token(for:)") { benchmark in
        let scopes = try scopes(64)
        let provider = try await provider(scopes, token)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try await provider.token(for: scopes[7])) }
    }

    Benchmark("hit, asynchronous: an actor") { benchmark in
        let scopes = try scopes(64)
        let cache = ActorCache(tokens(scopes, token))
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(await cache.token(for: scopes[7])) }
    }

    Benchmark("hit, completion handler: the queue alone") { benchmark in
        measureCalls(benchmark) { queue, end in { queue.async(execute: end) } }
    }

    Benchmark("hit, completion handler: SDKAuthorization.fetchToken(vehicleID:taskID:role:completion:)") { benchmark in
        let provider = try await provider(try scopes(64), token)
        let authorization = SDKAuthorization { provider }
        measureCalls(benchmark) { _, end in
            let completion: (String?, (any Error)?) -> Void = { token, _ in
                blackHole(token)
                end()
            }
            return {
                authorization.fetchToken(vehicleID: "vehicle-7", taskID: nil, role: .onDemand, completion: completion)
            }
        }
    }

    Benchmark("contended hits, 2 threads: CachingTokenProvider.cachedToken(for:)") { benchmark in
        let scopes = try scopes(64)
        let provider = try await provider(scopes, token)
        let count = benchmark.scaledIterations.count
        benchmark.startMeasurement()
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<count / 2 { blackHole(provider.cachedToken(for: scopes[thread])) }
        }
    }

    Benchmark("contended hits, 2 threads: a bare lock, dictionary and clock") { benchmark in
        let scopes = try scopes(64)
        let cache = BareCache(tokens(scopes, token))
        let count = benchmark.scaledIterations.count
        benchmark.startMeasurement()
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<count / 2 { blackHole(cache.token(for: scopes[thread])) }
        }
    }

    Benchmark(
        "1,000 cold callers, one fetch",
        configuration: .init(metrics: [.wallClock], scalingFactor: .one, maxDuration: .seconds(3))
    ) { benchmark in
        let scope = try scopes(1)[0]
        let provider = CachingTokenProvider { _ in FetchedToken(token, lifetime: 3540) }
        benchmark.startMeasurement()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask { blackHole(try? await provider.token(for: scope)) }
            }
        }
    }

    Benchmark(
        "memory: 100,000 scopes with tokens of 900 bytes",
        configuration: .init(metrics: [bytesPerScope], scalingFactor: .one, maxDuration: .seconds(3), maxIterations: 3)
    ) { benchmark in
        let scopes = try scopes(100_000)
        let token = String(repeating: "a", count: 900)
        let before = fleet_token_allocated_bytes()
        let provider = try await provider(scopes, token)
        let after = fleet_token_allocated_bytes()
        benchmark.measurement(bytesPerScope, Int(after - before) / scopes.count)
        blackHole(provider)
    }
}
