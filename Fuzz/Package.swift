// swift-tools-version: 6.3

import PackageDescription

// The parsers of the package above, built with libFuzzer's coverage and the address sanitizer. The sources are links, so
// that only what has no further dependencies is built, and all of it is instrumented.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        .target(name: "StrictCoding"),
        .target(name: "FleetToken", dependencies: ["StrictCoding"]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto"),
        .target(name: "JOSE", dependencies: ["COpenSSL", "StrictCoding"]),
        .target(name: "ExpiringCache"),
        .target(
            name: "TokenMinting",
            dependencies: [
                "ExpiringCache", "FleetToken", "JOSE", "StrictCoding",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // What talks to Google brings an HTTP client along, and parses with what is fuzzed here already.
            exclude: ["IAM"]
        ),
        .target(
            name: "TokenService",
            dependencies: [
                "FleetToken", "StrictCoding", "TokenMinting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .executableTarget(name: "Fuzz", dependencies: ["FleetToken", "JOSE", "StrictCoding", "TokenService"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
        .unsafeFlags(["-O", "-enable-testing", "-sanitize=fuzzer,address"]),
    ]
    // gold, the default linker on Linux, fails on what these flags produce.
    target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
}
