// swift-tools-version: 6.2

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
        // Clocks, timers and locks on each platform that apps run on.
        .target(name: "Timing"),
        .target(name: "ExpiringCache", dependencies: ["Timing"]),

        // MARK: What apps embed

        .target(name: "TokenProvider", dependencies: ["ExpiringCache", "FleetToken", "StrictCoding", "Timing"]),
        .target(name: "TokenProviderTesting", dependencies: ["ExpiringCache", "TokenProvider", "Timing"]),
        .target(name: "FleetEngineClient", dependencies: ["FleetToken", "StrictCoding", "Timing", "TokenProvider"]),
        // For backends; without the trait, or the service's, the module is empty.
        .target(
            name: "AsyncHTTPClientTransport",
            dependencies: ["TokenProvider"]
                + .products("AsyncHTTPClient NIOCore NIOHTTP1 NIOPosix NIOSSL", traits: ["AsyncHTTPClient", "Service"])
        ),

        // MARK: Libraries of the system

        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),

        // What a program needs in C. `make release` and deploy/Dockerfile name the commit.
        .target(
            name: "CProgram",
            cSettings: [
                .define("FLEET_TOKEN_REVISION", to: "\"\(Context.environment["FLEET_TOKEN_REVISION"] ?? "")\"")
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: The service

/// The modules of the service from the ground up: the modules that each uses, then the products of other packages.
let service: KeyValuePairs = [
    "JOSE": ["COpenSSL StrictCoding"],
    "ServiceSupport": [
        "FleetToken StrictCoding Timing",
        "AsyncHTTPClient HTTPTypes Logging NIOCore NIOHTTP1 NIOPosix NIOSSL SystemPackage",
    ],
    "ServiceConfiguration": ["CYAML FleetToken ServiceSupport StrictCoding"],
    "TokenMinting": [
        "ExpiringCache FleetToken JOSE ServiceConfiguration ServiceSupport StrictCoding Timing",
        "Logging NIOCore NIOPosix",
    ],
    "HTTPServer": [
        "ServiceSupport StrictCoding",
        "HTTPTypes Logging NIOCore NIOExtras NIOHTTP1 NIOHTTP2 NIOHTTPTypes NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2",
        "NIOPosix NIOSSL NIOTLS ServiceLifecycle",
    ],
    "TokenIssuance": [
        "ExpiringCache FleetToken JOSE ServiceConfiguration ServiceSupport StrictCoding Timing TokenMinting",
        "HTTPTypes Logging ServiceLifecycle SystemPackage",
    ],
    "TokenService": [
        "ExpiringCache FleetToken HTTPServer JOSE ServiceConfiguration ServiceSupport StrictCoding TokenIssuance",
        "TokenMinting AsyncHTTPClient HTTPTypes Logging NIOCore NIOExtras NIOPosix NIOSSL ServiceLifecycle",
        "SystemPackage",
    ],
    "ServiceTools": [
        "CProgram FleetToken JOSE ServiceConfiguration ServiceSupport StrictCoding TokenIssuance TokenMinting",
        "TokenService ArgumentParser AsyncHTTPClient Logging NIOCore NIOPosix NIOSSL SystemPackage",
    ],
]
for (name, uses) in service {
    let page: [Resource] = name == "TokenService" ? [.embedInCode("Routes/DevelopmentPage.html")] : []
    package.targets.append(.target(name: name, dependencies: .named(uses), resources: page))
}

let programs: KeyValuePairs = [
    "tokend": [
        "CProgram FleetToken ServiceConfiguration ServiceSupport ServiceTools TokenMinting TokenService",
        "ArgumentParser Logging ServiceLifecycle UnixSignals",
    ],
    "tokenctl": [
        "FleetToken JOSE ServiceConfiguration ServiceSupport ServiceTools StrictCoding TokenMinting",
        "ArgumentParser AsyncHTTPClient NIOCore SystemPackage",
    ],
]
package.targets += programs.map { .executableTarget(name: $0, dependencies: .named($1)) }

// MARK: Tests

// What tests share. Of the service TestSupport has the ground floor alone, so that a change of another module rebuilds the
// tests of those only that depend on it.
let testLibraries: KeyValuePairs = [
    "TestRandomness": [],
    // The watchdog of tests that wait, the tags, and the table of kinds.
    "TestTraits": ["FleetToken"],
    // The clock of all tests.
    "TestTime": ["Timing"],
    "TestSupport": [
        "COpenSSL FleetToken JOSE ServiceSupport StrictCoding TestTime TestTraits Timing",
        "Crypto CryptoExtras JWTKit Logging NIOCore NIOHTTP1 NIOPosix NIOSSL",
    ],
    "IssuanceTestSupport": ["FleetToken JOSE StrictCoding TokenIssuance"],
]
package.targets += testLibraries.map { .target(name: $0, dependencies: .named($1), path: "Tests/\($0)") }

/// What the tests of a module use beside the module, all that it uses, and the first three libraries above.
let tests: KeyValuePairs = [
    "StrictCoding": [],
    "FleetToken": [],
    "ExpiringCache": [],
    "TokenProvider": ["FleetEngineClient TokenProviderTesting"],
    "FleetEngineClient": [],
    "AsyncHTTPClientTransport": ["FleetToken TestSupport"],
    "JOSE": ["TestSupport"],
    "ServiceSupport": ["ExpiringCache JOSE TestSupport"],
    "TokenMinting": ["TestSupport"],
    "ServiceConfiguration": ["TestSupport Logging"],
    "HTTPServer": ["FleetToken TestSupport AsyncHTTPClient NIOEmbedded"],
    "TokenIssuance": ["IssuanceTestSupport TestSupport AsyncHTTPClient Crypto"],
    "TokenService": ["IssuanceTestSupport TestSupport NIOEmbedded"],
    "ServiceTools": ["IssuanceTestSupport TestSupport Crypto"],
]
for (module, others) in tests {
    let used = package.targets.first { $0.name == module }?.dependencies ?? []
    let shared = [Target.Dependency].named([module, "TestRandomness TestTime TestTraits"] + others)
    package.targets.append(.testTarget(name: "\(module)Tests", dependencies: used + shared))
}

// What is built beside the products when FLEET_TOKEN_LANE asks for it; the Makefile does. The lanes share a build folder
// with the products, so that the dependencies are compiled once.
let lane = Context.environment["FLEET_TOKEN_LANE"]
if lane == "fuzzing" {
    let modules = [
        "FleetToken HTTPServer JOSE ServiceConfiguration ServiceSupport ServiceTools StrictCoding TokenIssuance",
        "TokenMinting TokenService HTTPTypes Logging NIOCore",
    ]
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: .named(modules),
            path: "Fuzz/Sources",
            // gold, the default linker on Linux, fails on what the sanitizers produce.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .treatAllWarnings(as: .error),
    ]
    // Asynchronous functions stay on the executor of their caller (SE-0461). Apps' modules keep to the language's default.
    if service.contains(where: { $0.key == target.name }) {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
    switch lane {
    case "testing": target.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
    case "fuzzing": target.swiftSettings?.append(.unsafeFlags(["-enable-testing", "-sanitize=fuzzer,address"]))
    default: break
    }
}

extension [Target.Dependency] {
    /// The packages with the products that the service, its tools and their tests use.
    private static let packages: KeyValuePairs = [
        "async-http-client": "AsyncHTTPClient", "jwt-kit": "JWTKit", "swift-argument-parser": "ArgumentParser",
        "swift-crypto": "Crypto CryptoExtras", "swift-http-types": "HTTPTypes", "swift-log": "Logging",
        "swift-nio": "NIOCore NIOEmbedded NIOHTTP1 NIOPosix NIOTLS", "swift-nio-http2": "NIOHTTP2",
        "swift-nio-extras": "NIOExtras NIOHTTPTypes NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2", "swift-nio-ssl": "NIOSSL",
        "swift-service-lifecycle": "ServiceLifecycle UnixSignals", "swift-system": "SystemPackage",
    ]

    /// Returns dependencies on modules of this package, and on products that only the service needs.
    static func named(_ lines: [String]) -> Self {
        lines.flatMap { products($0, traits: ["Service"]) }
    }

    /// Returns dependencies on products if one of the traits is on; a name that is no product is a module of this package.
    static func products(_ names: String, traits: Set<String>) -> Self {
        names.split(separator: " ").map { name in
            guard let package = packages.first(where: { $0.value.split(separator: " ").contains(name) })?.key else {
                return .byName(name: String(name))
            }
            return .product(name: String(name), package: package, condition: .when(traits: traits))
        }
    }
}
