import FleetToken
import Foundation
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenService

/// The service in development mode, as `tokend dev` runs it, on ports of the system's choice.
enum DevelopmentService {
    /// Keys that all tests share: making eight takes a second.
    static let keys = FileManager.default.temporaryDirectory
        .appendingPathComponent("fleet-token-test-keys-\(ProcessInfo.processInfo.processIdentifier)").path

    /// Runs the service while the closure runs.
    static func run<Result: Sendable>(
        logger: Logger = .silent,
        clock: ServiceClock = .system,
        _ body: @escaping @Sendable (_ service: Int, _ admin: Int) async throws -> Result
    ) async throws -> Result {
        let mode = try DevelopmentMode(
            service: ListenAddress(host: "127.0.0.1", port: 0),
            admin: ListenAddress(host: "127.0.0.1", port: 0),
            keysDirectory: keys,
            serviceAccounts: [:],
            environment: [:]
        )
        return try await ServiceGroup.run { (onReady: @escaping @Sendable (TokenDaemon.Addresses) -> Void) in
            try await mode.service(logger: logger, clock: clock, onReady: onReady)
        } whileRunning: { addresses in
            try await body(addresses.service.port, addresses.admin.port)
        }
    }

    /// The public listener of the service that the tests of a suite share.
    @TaskLocal fileprivate static var sharedPort = 0

    /// One request to the public listener of the suite's service.
    static func request(
        _ method: String = "GET",
        _ target: String,
        headers: [String] = [],
        body: String? = nil
    ) async throws -> TransferResponse {
        try await HTTPExchange.request(method, target, port: sharedPort, headers: headers, body: body)
    }

    /// Bytes to the public listener of the suite's service.
    static func send(_ text: String, count: Int) async throws -> [TransferResponse] {
        try await HTTPExchange.send(Array(text.utf8), to: sharedPort, count: count)
    }

    /// A trait of suites whose tests are requests that change nothing: one service answers all of them.
    struct Shared: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await withoutActuallyEscaping(function) { function in
                try await DevelopmentService.run { port, _ in
                    try await DevelopmentService.$sharedPort.withValue(port) { try await function() }
                }
            }
        }
    }
}
