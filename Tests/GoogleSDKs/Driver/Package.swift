// swift-tools-version: 6.2

import PackageDescription

// Compiles the adapter that drivers' apps copy against Google's own package. A job of ci.yml on macOS builds it. It is apart
// from the one for riders, as the two SDKs may require different versions of Google Maps.
let package = Package(
    name: "driver-adapter",
    platforms: [.iOS(.v16)],
    products: [.library(name: "Adapters", targets: ["Adapters"])],
    dependencies: [
        .package(url: "https://github.com/googlemaps/ios-driver-sdk", "10.0.0"..<"100.0.0"),
        .package(name: "fleet-token", path: "../../..", traits: []),
    ],
    targets: [
        .target(
            name: "Adapters",
            dependencies: [
                .product(name: "GoogleRidesharingDriver", package: "ios-driver-sdk"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ],
            sources: ["DriverAuthorization.swift"]
        )
    ],
    swiftLanguageModes: [.v6]
)
