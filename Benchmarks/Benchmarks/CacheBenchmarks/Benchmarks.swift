import Benchmark
import CAllocationCount
import FleetToken
import Foundation
import TokenProvider

private let allocations = BenchmarkMetric.custom("Allocations", polarity: .prefersSmaller, useScalingFactor: true)

/// Runs a body as often as the scaling factor says, and counts the allocations of this thread.
private func measure(_ benchmark: Benchmark, _ body: () -> Void) {
    let before = fleet_token_allocation_count()
    for _ in benchmark.scaledIterations { body() }
    benchmark.measurement(allocations, Int(fleet_token_allocation_count() - before))
}

private func scopes(_ count: Int) throws -> [TokenScope] {
    try (0..<count).map { .driver(vehicle: try ResourceID("vehicle-\($0)")) }
}

private func provider(_ scopes: [TokenScope], _ token: Secret) async throws -> CachingTokenProvider {
    let provider = CachingTokenProvider { _ in FetchedToken(token, lifetime: 3540) }
    for scope in scopes { _ = try await provider.token(for: scope) }
    return provider
}

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, allocations],
        scalingFactor: .kilo,
        maxDuration: .seconds(3)
    )
    let token = Secret([UInt8](repeating: UInt8(ascii: "a"), count: 700))

    Benchmark("hit, synchronous: CachingTokenProvider.cachedToken(for:)") { benchmark in
        let scopes = try scopes(64)
        let provider = try await provider(scopes, token)
        benchmark.startMeasurement()
        measure(benchmark) { blackHole(provider.cachedToken(for: scopes[7])) }
    }

    Benchmark("hit, synchronous: a bare lock, dictionary and clock") { benchmark in
        let scopes = try scopes(64)
        let cache = BareCache(scopes, token: token)
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
        let cache = ActorCache(scopes, token: token)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(await cache.token(for: scopes[7])) }
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
        let cache = BareCache(scopes, token: token)
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
}
