// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "fleet-token",
    platforms: [
        .macOS(.v15),
        // The floor of what apps embed: TokenProvider, TokenProviderTesting, FleetEngineClient and the modules below them.
        .iOS(.v14),
        .macCatalyst(.v14),
        .tvOS(.v14),
        .visionOS(.v1),
        .watchOS(.v7),
    ],
    products: [
        .library(name: "TokenProvider", targets: ["TokenProvider"]),
        .library(name: "TokenProviderTesting", targets: ["TokenProviderTesting"]),
        .library(name: "FleetEngineClient", targets: ["FleetEngineClient"]),
        .library(name: "FleetToken", targets: ["FleetToken"]),
        .library(name: "AsyncHTTPClientTransport", targets: ["AsyncHTTPClientTransport"]),
        .executable(name: "tokend", targets: ["tokend"]),
        .executable(name: "tokenctl", targets: ["tokenctl"]),
    ],
    traits: [
        .trait(
            name: "Service",
            description: "The service and its tools. An app that embeds TokenProvider turns it off with `traits: []`."
        ),
        .trait(
            name: "AsyncHTTPClient",
            description: "The product AsyncHTTPClientTransport, for backends on Linux that embed TokenProvider."
        ),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // MARK: What a token is; shared by the service and the apps

        .target(name: "StrictCoding"),
        .target(name: "FleetToken", dependencies: ["StrictCoding"]),
        .target(name: "ExpiringCache"),

        // MARK: What apps embed

        .target(name: "TokenProvider", dependencies: ["ExpiringCache", "FleetToken", "StrictCoding"]),

        .target(
            name: "TokenProviderTesting",
            dependencies: ["ExpiringCache", "FleetEngineClient", "TokenProvider"]
        ),

        .target(
            name: "FleetEngineClient",
            dependencies: ["ExpiringCache", "FleetToken", "StrictCoding", "TokenProvider"]
        ),

        // For backends; without the trait, or the service's, the module is empty.
        .target(
            name: "AsyncHTTPClientTransport",
            dependencies: [
                "ExpiringCache",
                "TokenProvider",
                .backend("AsyncHTTPClient", package: "async-http-client"),
                .backend("NIOCore", package: "swift-nio"),
                .backend("NIOHTTP1", package: "swift-nio"),
                .backend("NIOPosix", package: "swift-nio"),
            ]
        ),

        // MARK: The service

        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "JOSE", dependencies: ["COpenSSL", "StrictCoding"]),
        .target(
            name: "ServiceSupport",
            dependencies: [
                "FleetToken",
                "StrictCoding",
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "TokenMinting",
            dependencies: [
                "ExpiringCache",
                "FleetToken",
                "JOSE",
                "ServiceSupport",
                "StrictCoding",
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .target(
            name: "ServiceConfiguration",
            dependencies: [
                "CYAML",
                "FleetToken",
                "JOSE",
                "ServiceSupport",
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "Telemetry",
            dependencies: [
                "FleetToken",
                "ServiceSupport",
                "StrictCoding",
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "HTTPServer",
            dependencies: [
                "ServiceSupport",
                "StrictCoding",
                "Telemetry",
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOExtras", package: "swift-nio-extras"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOHTTP2", package: "swift-nio-http2"),
                .service("NIOHTTPTypes", package: "swift-nio-extras"),
                .service("NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .service("NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("NIOTLS", package: "swift-nio"),
                .service("ServiceLifecycle", package: "swift-service-lifecycle"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "TokenIssuance",
            dependencies: [
                "ExpiringCache",
                "FleetToken",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "StrictCoding",
                "Telemetry",
                "TokenMinting",
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
                .service("ServiceLifecycle", package: "swift-service-lifecycle"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "TokenService",
            dependencies: [
                "ExpiringCache",
                "FleetToken",
                "HTTPServer",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "StrictCoding",
                "Telemetry",
                "TokenIssuance",
                "TokenMinting",
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("ServiceLifecycle", package: "swift-service-lifecycle"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "ServiceTools",
            dependencies: [
                "CZlib",
                "ExpiringCache",
                "FleetToken",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "StrictCoding",
                "Telemetry",
                "TokenIssuance",
                "TokenMinting",
                "TokenService",
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("Logging", package: "swift-log"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        // What a program needs in C.
        .target(
            name: "CProgram",
            // `make release` and deploy/Dockerfile name the commit.
            cSettings: [
                .define("FLEET_TOKEN_REVISION", to: "\"\(Context.environment["FLEET_TOKEN_REVISION"] ?? "")\"")
            ]
        ),
        // Arguments, streams and exit statuses, alike in both programs.
        .target(
            name: "CommandSupport",
            dependencies: [
                "CProgram",
                "FleetToken",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "StrictCoding",
                "Telemetry",
                "TokenMinting",
                .service("ArgumentParser", package: "swift-argument-parser"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
        .executableTarget(
            name: "tokend",
            dependencies: [
                "CProgram",
                "CommandSupport",
                "FleetToken",
                "ServiceConfiguration",
                "ServiceSupport",
                "Telemetry",
                "TokenMinting",
                "TokenService",
                .service("ArgumentParser", package: "swift-argument-parser"),
                .service("Logging", package: "swift-log"),
                .service("ServiceLifecycle", package: "swift-service-lifecycle"),
                .service("UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "tokenctl",
            dependencies: [
                "CommandSupport",
                "FleetToken",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "ServiceTools",
                "StrictCoding",
                "TokenMinting",
                "TokenProvider",
                .service("ArgumentParser", package: "swift-argument-parser"),
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),

        // MARK: Tests

        .systemLibrary(
            name: "CLibJWT",
            path: "Tests/CLibJWT",
            pkgConfig: "libjwt",
            providers: [.apt(["libjwt-dev"]), .brew(["libjwt"])]
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "CLibJWT",
                "FleetToken",
                "JOSE",
                "StrictCoding",
                .service("JWTKit", package: "jwt-kit"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/TestSupport"
        ),
        .target(name: "TestRandomness", path: "Tests/TestRandomness"),
        .testTarget(name: "StrictCodingTests", dependencies: ["StrictCoding", "TestRandomness"]),
        .testTarget(
            name: "JOSETests",
            dependencies: ["COpenSSL", "JOSE", "StrictCoding", "TestRandomness", "TestSupport"]
        ),
        .testTarget(name: "FleetTokenTests", dependencies: ["FleetToken", "StrictCoding", "TestRandomness"]),
        .testTarget(name: "ExpiringCacheTests", dependencies: ["ExpiringCache", "TestRandomness"]),
        .testTarget(
            name: "TokenProviderTests",
            dependencies: [
                "ExpiringCache", "FleetEngineClient", "FleetToken", "StrictCoding", "TestRandomness", "TokenProvider",
                "TokenProviderTesting",
            ]
        ),
        .testTarget(
            name: "AsyncHTTPClientTransportTests",
            dependencies: [
                "AsyncHTTPClientTransport",
                "FleetToken",
                "TokenProvider",
                .backend("AsyncHTTPClient", package: "async-http-client"),
                .backend("NIOCore", package: "swift-nio"),
                .backend("NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "FleetEngineClientTests",
            dependencies: [
                "ExpiringCache", "FleetEngineClient", "FleetToken", "StrictCoding", "TestRandomness", "TokenProvider",
            ]
        ),
        .testTarget(
            name: "TokenMintingTests",
            dependencies: [
                "ExpiringCache", "FleetToken", "JOSE", "ServiceSupport", "StrictCoding", "TestRandomness",
                "TestSupport",
                "TokenMinting",
            ]
        ),
        .testTarget(
            name: "TokenServiceTests",
            dependencies: [
                "COpenSSL",
                "ExpiringCache",
                "FleetToken",
                "HTTPServer",
                "JOSE",
                "ServiceConfiguration",
                "ServiceSupport",
                "ServiceTools",
                "StrictCoding",
                "Telemetry",
                "TestRandomness",
                "TestSupport",
                "TokenIssuance",
                "TokenMinting",
                "TokenService",
                .service("AsyncHTTPClient", package: "async-http-client"),
                .service("Crypto", package: "swift-crypto"),
                .service("CryptoExtras", package: "swift-crypto"),
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
                .service("NIOCore", package: "swift-nio"),
                .service("NIOEmbedded", package: "swift-nio"),
                .service("NIOHTTP1", package: "swift-nio"),
                .service("NIOHTTPTypes", package: "swift-nio-extras"),
                .service("NIOPosix", package: "swift-nio"),
                .service("NIOSSL", package: "swift-nio-ssl"),
                .service("ServiceLifecycle", package: "swift-service-lifecycle"),
                .service("SystemPackage", package: "swift-system"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What is built beside the products when FLEET_TOKEN_LANE asks for it; the Makefile does. The lanes share a build folder
// with the products, so that the dependencies are compiled once.
let lane = Context.environment["FLEET_TOKEN_LANE"]
if lane == "testing" {
    package.targets.append(
        .executableTarget(
            name: "MintBenchmark",
            dependencies: [
                "FleetToken",
                "JOSE",
                "ServiceConfiguration",
                "ServiceTools",
                "StrictCoding",
                "Telemetry",
                "TokenIssuance",
                "TokenMinting",
                "TokenService",
                .service("HTTPTypes", package: "swift-http-types"),
                .service("Logging", package: "swift-log"),
            ],
            path: "Benchmarks/Mint"
        )
    )
}
if lane == "fuzzing" {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "FleetToken", "HTTPServer", "JOSE", "ServiceConfiguration", "ServiceSupport", "ServiceTools",
                "StrictCoding",
                "Telemetry",
                "TokenIssuance",
                "TokenService",
                .service("HTTPTypes", package: "swift-http-types"),
                .service("NIOCore", package: "swift-nio"),
            ],
            path: "Fuzz/Sources",
            // gold, the default linker on Linux, fails on what the sanitizers produce.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
    // Asynchronous functions stay on the executor of their caller. Apps' modules keep to the language's default.
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    if ["HTTPServer", "ServiceSupport", "ServiceTools", "Telemetry", "TokenIssuance", "TokenMinting", "TokenService"]
        .contains(
            target.name
        )
    {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
    switch lane {
    case "testing": target.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
    case "fuzzing": target.swiftSettings?.append(.unsafeFlags(["-enable-testing", "-sanitize=fuzzer,address"]))
    default: break
    }
}

extension Target.Dependency {
    /// A product that only backends need.
    static func backend(_ product: String, package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["AsyncHTTPClient", "Service"]))
    }

    /// A product that only the service and its tools need.
    static func service(_ product: String, package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["Service"]))
    }
}
