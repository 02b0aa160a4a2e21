// swift-tools-version: 6.3

import PackageDescription

// Builds TokenProvider, as it is, together with hand-written stand-ins for Google's and Apple's iOS frameworks, so that the
// adapters and examples which apps copy are compiled, and the adapters tested, where the frameworks don't exist.
//
// It is a package of its own because a module that exists in a build can be imported by every target of it.
let package = Package(
    name: "adapters",
    platforms: [.macOS(.v15), .iOS(.v16)],
    targets: [
        .target(name: "Combine", path: "Combine"),
        .target(name: "FirebaseAppCheck", path: "FirebaseAppCheck"),
        .target(name: "FirebaseAuth", path: "FirebaseAuth"),
        .target(name: "FirebaseCore", path: "FirebaseCore"),
        .target(name: "GoogleMaps", dependencies: ["UIKit"], path: "GoogleMaps"),
        .target(name: "GoogleNavigation", dependencies: ["GoogleMaps"], path: "GoogleNavigation"),
        .target(name: "GoogleRidesharingConsumer", dependencies: ["GoogleMaps"], path: "GoogleRidesharingConsumer"),
        .target(name: "GoogleRidesharingDriver", dependencies: ["GoogleNavigation"], path: "GoogleRidesharingDriver"),
        .target(name: "Network", path: "Network"),
        .target(name: "OSLog", path: "OSLog"),
        .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"], path: "SwiftUI"),
        .target(name: "UIKit", path: "UIKit"),
        .target(name: "TokenProvider", exclude: ["Documentation.docc", "PrivacyInfo.xcprivacy"]),
        .target(name: "TokenProviderTesting", dependencies: ["TokenProvider"], exclude: ["Documentation.docc"]),
        .target(
            name: "Adapters",
            dependencies: ["GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider"]
        ),
        // As in a new project of Xcode's.
        .target(
            name: "AdaptersOnTheMainActor",
            dependencies: ["GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        // What runs without a user interface; scripts/check-snippets.py compiles the rest.
        .target(
            name: "RiderApp",
            dependencies: ["Combine", "FirebaseAuth", "Network", "TokenProvider"],
            exclude: ["RiderApp.swift", "SignInView.swift", "TripFollower.swift", "TripView.swift"]
        ),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "Adapters", "AdaptersOnTheMainActor", "FirebaseAuth", "GoogleNavigation", "GoogleRidesharingConsumer",
                "GoogleRidesharingDriver", "RiderApp", "TokenProvider",
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
