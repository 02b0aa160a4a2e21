// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15), .iOS(.v16)],
    dependencies: [
        // Without the default trait, only the client is included, and no dependency of the service is fetched.
        .package(name: "fleet-token", path: "..", traits: [])
    ],
    targets: [
        .target(
            name: "TripApp",
            dependencies: [.product(name: "TokenProvider", package: "fleet-token")],
            path: "TripApp"
        ),
        .testTarget(
            name: "TripAppTests",
            dependencies: ["TripApp", .product(name: "TokenProviderTesting", package: "fleet-token")],
            path: "TripAppTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)
