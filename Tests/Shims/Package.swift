// swift-tools-version: 6.3

import PackageDescription

// Builds TokenProvider, as it is, together with hand-written stand-ins for Google's two iOS frameworks, so that the
// adapters to them are compiled and tested where the frameworks don't exist.
//
// It is a package of its own because a module that exists in a build can be imported by every target of it: in the main
// package, whether `canImport(GoogleRidesharingConsumer)` holds would depend on the order of compilation.
let package = Package(
    name: "adapters",
    platforms: [.macOS(.v15), .iOS(.v14)],
    targets: [
        .target(name: "GoogleRidesharingConsumer", path: "GoogleRidesharingConsumer"),
        .target(name: "GoogleRidesharingDriver", path: "GoogleRidesharingDriver"),
        .target(name: "StrictCoding"),
        .target(name: "FleetToken", dependencies: ["StrictCoding"]),
        .target(name: "ExpiringCache"),
        .target(
            name: "TokenProvider",
            dependencies: [
                "ExpiringCache", "FleetToken", "GoogleRidesharingConsumer", "GoogleRidesharingDriver", "StrictCoding",
            ]
        ),
        .testTarget(
            name: "AdapterTests",
            dependencies: ["FleetToken", "GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider"],
            path: "AdapterTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
