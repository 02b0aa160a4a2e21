// swift-tools-version: 6.3

import PackageDescription

// The modules that apps embed and their tests, by links, without anything of the service: ThreadSanitizer needs all code
// built with it, and this builds in seconds where the whole package takes minutes.
let package = Package(
    name: "thread-sanitizer",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "StrictCoding"),
        .target(name: "FleetToken", dependencies: ["StrictCoding"]),
        .target(name: "Timing"),
        .target(name: "ExpiringCache", dependencies: ["Timing"]),
        .target(
            name: "TokenProvider",
            dependencies: ["ExpiringCache", "FleetToken", "StrictCoding", "Timing"],
            exclude: ["Documentation.docc"]
        ),
        .target(
            name: "TokenProviderTesting",
            dependencies: ["ExpiringCache", "TokenProvider", "Timing"],
            exclude: ["Documentation.docc"]
        ),
        .target(name: "TestRandomness", path: "Tests/TestRandomness"),
        .target(name: "TestTime", dependencies: ["Timing"], path: "Tests/TestTime"),
        .target(name: "TestTraits", dependencies: ["FleetToken"], path: "Tests/TestTraits"),
        .testTarget(
            name: "ExpiringCacheTests",
            dependencies: ["ExpiringCache", "TestRandomness", "TestTime", "TestTraits", "Timing"]
        ),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: [
                "ExpiringCache", "FleetToken", "StrictCoding", "TestRandomness", "TestTime",
                "TestTraits", "Timing", "TokenProvider", "TokenProviderTesting",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
