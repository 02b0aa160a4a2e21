// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that the other examples depend only on the client.
let package = Package(
    name: "backend",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "fleet-token", path: "../..", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        .executableTarget(
            name: "Backend",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "TokenProvider", package: "fleet-token"),
            ],
            path: "Sources"
        )
    ],
    swiftLanguageModes: [.v6]
)
