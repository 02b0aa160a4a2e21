// swift-tools-version: 6.2

import PackageDescription

// Compiles the adapters that riders' apps copy against Google's own package. A job of ci.yml on macOS builds it.
let package = Package(
    name: "consumer-adapters",
    platforms: [.iOS(.v16)],
    products: [.library(name: "Adapters", targets: ["Adapters"])],
    dependencies: [
        .package(url: "https://github.com/googlemaps/ios-consumer-sdk", "10.0.0"..<"100.0.0"),
        .package(name: "fleet-token", path: "../../..", traits: []),
    ],
    targets: [
        .target(
            name: "Adapters",
            dependencies: [
                .product(name: "GoogleRidesharingConsumer", package: "ios-consumer-sdk"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ],
            exclude: ["DriverAuthorization.swift"]
        )
    ],
    swiftLanguageModes: [.v6]
)
