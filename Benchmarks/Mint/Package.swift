// swift-tools-version: 6.3

import PackageDescription

// A request's way without HTTP, built as a release is. The sources are links, so that what is internal can be measured
// and little else has to be built.
let package = Package(
    name: "mint-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        .target(name: "StrictCoding"),
        .target(name: "FleetToken", dependencies: ["StrictCoding"]),
        .target(name: "ExpiringCache"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto"),
        .target(name: "JOSE", dependencies: ["COpenSSL", "StrictCoding"]),
        .target(
            name: "TokenMinting",
            dependencies: [
                "ExpiringCache", "FleetToken", "JOSE", "StrictCoding",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // It alone needs an HTTP client, which brings much along.
            exclude: ["IAM/Transport/HTTPGoogleTransport.swift"]
        ),
        .target(
            name: "TokenService",
            dependencies: [
                "FleetToken", "JOSE", "StrictCoding", "TokenMinting",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .executableTarget(
            name: "MintBenchmark",
            dependencies: [
                "FleetToken", "JOSE", "StrictCoding", "TokenMinting", "TokenService",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .unsafeFlags(["-enable-testing"]),
    ]
}
