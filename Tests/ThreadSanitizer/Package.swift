// swift-tools-version: 6.3

import PackageDescription

// The modules that apps embed and their tests, by links, without anything of the service: ThreadSanitizer needs all code
// built with it, and this builds in seconds where the whole package takes minutes.
let package = Package(
    name: "thread-sanitizer",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "FleetToken"),
        .target(
            name: "TokenProvider",
            exclude: ["Documentation.docc"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(
            name: "TokenProviderTesting",
            dependencies: ["TokenProvider"],
            exclude: ["Documentation.docc"]
        ),
        .target(name: "TestTools", dependencies: ["FleetToken"], path: "Tests/TestTools"),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: ["FleetToken", "TestTools", "TokenProvider", "TokenProviderTesting"]
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
