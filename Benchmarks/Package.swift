// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "fleet-token", path: ".."),
        // Without traits: its interposers count allocations, and so does the small C target here.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "CacheBenchmarks",
            dependencies: [
                "CAllocationCount",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "FleetToken", package: "fleet-token"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ],
            path: "Benchmarks/CacheBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
