// swift-tools-version: 6.2

import PackageDescription

// The lane of a build of our own, which the Makefile sets: "development"; "testing", release builds with tests; "fuzzing". The
// lanes share a build folder, so that the dependencies are compiled once. Apps that embed the package set none.
let lane = Context.environment["FLEET_TOKEN_LANE"]

let package = Package(
    name: "fleet-token",
    platforms: [
        .macOS(.v15),
        // The floor of Google's SDKs, and of what apps embed: TokenProvider.
        .iOS(.v16),
    ],
    products: [
        .library(name: "TokenProvider", targets: ["TokenProvider"]),
        .library(name: "TokenProviderTesting", targets: ["TokenProviderTesting"]),
        .library(name: "FleetToken", targets: ["FleetToken"]),
        .executable(name: "tokend", targets: ["tokend"]),
        .executable(name: "tokenctl", targets: ["tokenctl"]),
    ],
    traits: [
        .trait(
            name: "Service",
            description: "The service and its tools. An app that embeds TokenProvider turns it off with `traits: []`."
        ),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // MARK: What a token is; shared by the service and the companion

        .target(name: "FleetToken"),

        // MARK: What apps embed

        // Foundation only.
        .target(name: "TokenProvider", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(name: "TokenProviderTesting", dependencies: ["TokenProvider"]),

        // MARK: Libraries of the system

        .systemLibrary(
            name: "COpenSSL",
            // Without a lane, as in an app, SwiftPM would look for the library although nothing uses it.
            pkgConfig: lane == nil ? nil : "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: lane == nil ? nil : "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),

        // The commit that a release is built from; `make release` and deploy/Dockerfile name it.
        .target(
            name: "CRevision",
            cSettings: [
                .define("FLEET_TOKEN_REVISION", to: "\"\(Context.environment["FLEET_TOKEN_REVISION"] ?? "")\"")
            ]
        ),

        // MARK: The service, from the ground up

        .target(name: "JOSE", dependencies: ["COpenSSL", "FleetToken"], swiftSettings: callersExecutor),
        .target(
            name: "ServiceSupport",
            dependencies: [
                "CYAML", "FleetToken",
                .asyncHTTPClient, .httpTypes, .logging, .metrics, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
                .systemPackage,
            ],
            swiftSettings: callersExecutor
        ),
        .target(
            name: "TokenMinting",
            dependencies: ["FleetToken", "JOSE", "ServiceSupport", .logging, .metrics, .nioCore, .nioPosix],
            swiftSettings: callersExecutor
        ),
        .target(
            name: "TokenIssuance",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TokenMinting",
                .httpTypes, .logging, .metrics, .nioCore, .nioPosix, .serviceLifecycle, .systemPackage,
            ],
            swiftSettings: callersExecutor
        ),
        .target(
            name: "TokenService",
            dependencies: [
                "CRevision", "FleetToken", "JOSE", "ServiceSupport", "TokenIssuance", "TokenMinting",
                .argumentParser, .asyncHTTPClient, .httpTypes, .logging, .metrics, .nioCore, .nioExtras, .nioHTTP1,
                .nioHTTPTypesHTTP1,
                .nioPosix, .nioSSL, .nioTLS, .serviceLifecycle, .systemPackage, .unixSignals,
            ],
            resources: [.embedInCode("Routes/DevelopmentPage.html")],
            swiftSettings: callersExecutor
        ),

        // MARK: The programs

        .executableTarget(
            name: "tokend",
            dependencies: [
                "FleetToken", "ServiceSupport", "TokenMinting", "TokenService", .argumentParser, .logging,
                .systemPackage,
            ]
        ),
        .executableTarget(
            name: "tokenctl",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TokenMinting", "TokenService",
                .argumentParser, .asyncHTTPClient, .nioCore, .systemPackage,
            ]
        ),

        // MARK: What tests share

        // What needs nothing of the service: the watchdog of tests that wait, random numbers, the table of kinds.
        .target(name: "TestTools", dependencies: ["FleetToken"], path: "Tests/TestTools"),
        // Of the service it has the ground floor alone, so that a change of another module rebuilds the tests of those only that
        // depend on it.
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "FleetToken", "JOSE", "ServiceSupport", "TestTools",
                .crypto, .cryptoExtras, .jwtKit, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            ],
            path: "Tests/TestSupport"
        ),

        // MARK: Tests

        .testTarget(name: "FleetTokenTests", dependencies: ["FleetToken", "TestTools"]),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: ["FleetToken", "TestTools", "TokenProvider", "TokenProviderTesting"]
        ),
        .testTarget(name: "JOSETests", dependencies: ["COpenSSL", "FleetToken", "JOSE", "TestSupport", "TestTools"]),
        .testTarget(
            name: "ServiceSupportTests",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TestSupport", "TestTools",
                .asyncHTTPClient, .httpTypes, .logging, .metrics, .nioCore, .nioPosix, .nioSSL, .systemPackage,
            ]
        ),
        .testTarget(
            name: "TokenMintingTests",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TestSupport", "TestTools", "TokenMinting", .logging,
            ]
        ),
        .testTarget(
            name: "TokenIssuanceTests",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TestSupport", "TestTools", "TokenIssuance", "TokenMinting",
                .asyncHTTPClient, .crypto, .httpTypes, .logging, .nioPosix, .serviceLifecycle, .systemPackage,
            ]
        ),
        .testTarget(
            name: "TokenServiceTests",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TestSupport", "TestTools", "TokenIssuance", "TokenMinting",
                "TokenService",
                .asyncHTTPClient, .crypto, .httpTypes, .logging, .metrics, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix,
                .nioSSL,
                .serviceLifecycle, .systemPackage, .unixSignals,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if lane == "fuzzing" {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "FleetToken", "JOSE", "ServiceSupport", "TokenIssuance", "TokenMinting", "TokenService",
                .httpTypes, .logging, .nioCore,
            ],
            path: "Fuzz/Sources",
            // gold, the default linker on Linux, fails on what the sanitizers produce.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

// Asynchronous functions of the service stay on the executor of their caller (SE-0461). Apps' modules keep to the language's default.
var callersExecutor: [SwiftSetting] { [.enableUpcomingFeature("NonisolatedNonsendingByDefault")] }

for target in package.targets where target.type != .system {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    ]
    // Xcode compiles the packages of an app with -suppress-warnings, and the compiler refuses both.
    if lane != nil { settings.append(.treatAllWarnings(as: .error)) }
    settings += target.swiftSettings ?? []
    switch lane {
    case "testing": settings.append(.unsafeFlags(["-enable-testing"]))
    case "fuzzing": settings.append(.unsafeFlags(["-enable-testing", "-sanitize=fuzzer,address"]))
    default: break
    }
    target.swiftSettings = settings
}

// The products of other packages, which only the service, its tools and their tests use.
extension Target.Dependency {
    static let argumentParser = service("ArgumentParser", package: "swift-argument-parser")
    static let asyncHTTPClient = service("AsyncHTTPClient", package: "async-http-client")
    static let crypto = service("Crypto", package: "swift-crypto")
    static let cryptoExtras = service("CryptoExtras", package: "swift-crypto")
    static let httpTypes = service("HTTPTypes", package: "swift-http-types")
    static let jwtKit = service("JWTKit", package: "jwt-kit")
    static let logging = service("Logging", package: "swift-log")
    static let metrics = service("Metrics", package: "swift-metrics")
    static let nioCore = service("NIOCore", package: "swift-nio")
    static let nioEmbedded = service("NIOEmbedded", package: "swift-nio")
    static let nioExtras = service("NIOExtras", package: "swift-nio-extras")
    static let nioHTTP1 = service("NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypesHTTP1 = service("NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioPosix = service("NIOPosix", package: "swift-nio")
    static let nioSSL = service("NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = service("NIOTLS", package: "swift-nio")
    static let serviceLifecycle = service("ServiceLifecycle", package: "swift-service-lifecycle")
    static let systemPackage = service("SystemPackage", package: "swift-system")
    static let unixSignals = service("UnixSignals", package: "swift-service-lifecycle")

    private static func service(_ product: String, package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["Service"]))
    }
}
