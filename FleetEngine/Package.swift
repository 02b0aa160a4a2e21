// swift-tools-version: 6.3

import PackageDescription

/// Tools to test against Fleet Engine without Google: no part of the token system.
let package = Package(
    name: "fleet-engine",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "FleetEngineClient", targets: ["FleetEngineClient"]),
        .executable(name: "fleet-engine-emulator", targets: ["fleet-engine-emulator"]),
        .executable(name: "fleet-demo", targets: ["fleet-demo"]),
    ],
    dependencies: [
        // What apps embed, and nothing of the service.
        .package(name: "fleet-token", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // Numbers, times, durations and polylines as the API's JSON has them.
        .target(name: "EngineCoding"),
        .target(
            name: "FleetEngineClient",
            dependencies: ["EngineCoding", .product(name: "FleetToken", package: "fleet-token")]
        ),
        .executableTarget(
            name: "fleet-engine-emulator",
            dependencies: [
                "EngineCoding",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FleetToken", package: "fleet-token"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Page")]
        ),
        // Drives vehicles and follows their trips: `make demo`.
        .executableTarget(
            name: "fleet-demo",
            dependencies: [
                "EngineCoding",
                "FleetEngineClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ]
        ),
        .testTarget(name: "EngineCodingTests", dependencies: ["EngineCoding"]),
        .testTarget(
            name: "FleetEngineClientTests",
            dependencies: [
                "EngineCoding",
                "FleetEngineClient",
                .product(name: "TokenProviderTesting", package: "fleet-token"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .treatAllWarnings(as: .error),
    ]
}
