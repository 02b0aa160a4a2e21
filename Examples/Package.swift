// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without its default trait, the package brings the client alone and none of the service's dependencies.
        .package(name: "fleet-token", path: "..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "FleetSimulator",
            dependencies: [
                .product(name: "FleetToken", package: "fleet-token"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ],
            path: "FleetSimulator"
        )
    ],
    swiftLanguageModes: [.v6]
)
