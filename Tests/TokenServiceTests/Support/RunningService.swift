import FleetToken
import Logging
import ServiceLifecycle
import TestSupport
import Testing
import UnixSignals

@testable import ServiceSupport
@testable import TokenService

/// The service that ``KeySite`` configures, while a test sends it requests.
struct RunningService: Sendable {
    let site: KeySite
    let log: RecordedLog
    let current: CurrentService
    private let port: Int

    /// Runs the service in production, with files that `prepare` may change, while `body` sends requests.
    ///
    /// No time passes on its clock, unless the test has one of its own.
    static func production(
        clock: ServiceClock = .stopped(at: NumericDate.now.seconds),
        http: any OutgoingHTTP = NoNetwork(),
        prepare: (KeySite) throws -> Void = { _ in },
        _ body: (RunningService) async throws -> Void
    ) async throws {
        try await KeySite.with { site in
            try site.populate()
            try prepare(site)
            let log = RecordedLog()
            let current = try await site.load(http: http, clock: clock, logger: log.logger)
            let reloads = await UnixSignalsSequence(trapping: .sighup)
            try await ServiceGroup.run { (onReady: @escaping @Sendable (TokenDaemon.Addresses) -> Void) in
                current.started.daemon(current, background: current.components(reloadedBy: reloads), onReady: onReady)
            } whileRunning: { addresses in
                try await body(RunningService(site: site, log: log, current: current, port: addresses.service.port))
            }
        }
    }

    /// Sends a request with an API key.
    func ask(
        _ target: String,
        _ method: String = "GET",
        key: String? = TestAPIKey.key,
        headers: [String] = [],
        body: String? = nil
    ) async throws -> TransferResponse {
        let credentials = key.map { ["X-API-Key: \($0)"] } ?? []
        return try await HTTPExchange.request(method, target, port: port, headers: credentials + headers, body: body)
    }

    /// Reads the configuration and its files again, and returns what is wrong.
    func reload() async -> [Problem] {
        await Reloader(current).request()
        return current.shared.reloads.current.problems
    }

    /// The lines of decisions in the audit trail.
    func audit() throws -> [JSONObject] {
        try TemporaryFolder.read(site.path("audit.jsonl")).split(separator: UInt8(ascii: "\n"))
            .map { try JSONParser.parseObject($0) }
            .filter { $0["event"] == nil }
    }

    /// The line of a response in the audit trail.
    func audited(_ response: TransferResponse) throws -> JSONObject {
        let id = try #require(response["x-request-id"])
        return try #require(try audit().first { $0["requestId"] == .string(id) })
    }

    func metrics() throws -> MetricsPage { try MetricsPage(current.shared.metrics.prometheus.page()) }
}

extension KeySite {
    /// Loads the service of the configuration for the first time.
    func load(
        http: any OutgoingHTTP = NoNetwork(),
        clock: ServiceClock = .stopped(),
        logger: Logger = .silent,
        logLevel: LogLevel? = nil
    ) async throws -> CurrentService {
        let mode = try ProductionMode(path: path("tokend.yaml"))
        let shared = SharedResources(http: http, logger: logger, clock: clock)
        let loaded = try await LoadedService.load(mode.configuration, shared)
        return CurrentService(loaded, shared, started: mode, logLevel: logLevel)
    }
}
