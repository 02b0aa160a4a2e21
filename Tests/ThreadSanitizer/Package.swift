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
        .target(name: "ExpiringCache"),
        .target(
            name: "TokenProvider",
            dependencies: ["ExpiringCache", "FleetToken", "StrictCoding"],
            exclude: ["Documentation.docc"]
        ),
        .target(
            name: "TokenProviderTesting",
            dependencies: ["ExpiringCache", "FleetEngineClient", "TokenProvider"],
            exclude: ["Documentation.docc"]
        ),
        .target(
            name: "FleetEngineClient",
            dependencies: ["ExpiringCache", "FleetToken", "StrictCoding", "TokenProvider"],
            exclude: ["Documentation.docc"]
        ),
        .target(name: "TestRandomness", path: "Tests/TestRandomness"),
        .target(name: "TestTime", dependencies: ["ExpiringCache"], path: "Tests/TestTime"),
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        .testTarget(
            name: "ExpiringCacheTests",
            dependencies: ["ExpiringCache", "TestRandomness", "TestTime", "TestTraits"]
        ),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: [
                "ExpiringCache", "FleetEngineClient", "FleetToken", "StrictCoding", "TestRandomness", "TestTime",
                "TestTraits", "TokenProvider", "TokenProviderTesting",
            ]
        ),
        .testTarget(
            name: "FleetEngineClientTests",
            dependencies: [
                "ExpiringCache", "FleetEngineClient", "FleetToken", "StrictCoding", "TestRandomness", "TestTime",
                "TestTraits", "TokenProvider",
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
