// swift-tools-version: 6.3

import PackageDescription

// Builds TokenProvider, as it is, together with hand-written stand-ins for Google's and Apple's iOS frameworks, so that the
// adapters and examples which apps copy are compiled, and the adapters tested, where the frameworks don't exist.
//
// It is a package of its own because a module that exists in a build can be imported by every target of it.
let package = Package(
    name: "adapters",
    platforms: [.macOS(.v15), .iOS(.v14)],
    targets: [
        .target(name: "GoogleRidesharingConsumer", path: "GoogleRidesharingConsumer"),
        .target(name: "GoogleRidesharingDriver", path: "GoogleRidesharingDriver"),
        .target(name: "FirebaseAuth", path: "FirebaseAuth"),
        .target(name: "OSLog", path: "OSLog"),
        .target(name: "SwiftUI", path: "SwiftUI"),
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
        .target(
            name: "Adapters",
            dependencies: [
                "GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider",
            ]
        ),
        // As in a new project of Xcode's.
        .target(
            name: "AdaptersOnTheMainActor",
            dependencies: [
                "GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider",
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .target(name: "TestTraits", dependencies: ["FleetToken"]),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "Adapters", "AdaptersOnTheMainActor", "FleetToken", "GoogleRidesharingConsumer",
                "GoogleRidesharingDriver", "TestTraits", "TokenProvider",
            ],
            path: "AdapterTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .treatAllWarnings(as: .error),
        ]
}
