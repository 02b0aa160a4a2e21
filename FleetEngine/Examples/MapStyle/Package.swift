// swift-tools-version: 6.3

import PackageDescription

// A map style for apps to copy, with stand-ins for Google's and Apple's modules so that it compiles anywhere.
//
// It is a package of its own because a module that exists in a build can be imported by every target of it.
let package = Package(
    name: "map-style",
    platforms: [.macOS(.v15), .iOS(.v18)],
    targets: [
        .target(name: "GoogleRidesharingConsumer", dependencies: ["UIKit"], path: "Shims/GoogleRidesharingConsumer"),
        .target(name: "UIKit", path: "Shims/UIKit"),
        .target(name: "MapStyle", dependencies: ["GoogleRidesharingConsumer", "UIKit"]),
        .testTarget(name: "MapStyleTests", dependencies: ["GoogleRidesharingConsumer", "MapStyle", "UIKit"]),
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
