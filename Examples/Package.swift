// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Without the default trait, only the client is included, and no dependency of the service is fetched.
        .package(name: "fleet-token", path: "..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "FleetSimulator",
            dependencies: ["FleetPlan", .product(name: "TokenProvider", package: "fleet-token")],
            path: "FleetSimulator"
        ),
        .target(
            name: "FleetPlan",
            dependencies: [.product(name: "TokenProviderTesting", package: "fleet-token")],
            path: "FleetPlan"
        ),
        .testTarget(name: "FleetPlanTests", dependencies: ["FleetPlan"], path: "FleetPlanTests"),
        .target(
            name: "Accounts",
            dependencies: [.product(name: "TokenProvider", package: "fleet-token")],
            path: "Accounts"
        ),
        .target(
            name: "Failover",
            dependencies: [.product(name: "TokenProvider", package: "fleet-token")],
            path: "Failover"
        ),
        .testTarget(
            name: "FailoverTests",
            dependencies: ["Failover", .product(name: "TokenProviderTesting", package: "fleet-token")],
            path: "FailoverTests"
        ),
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
