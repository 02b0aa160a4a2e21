import AsyncHTTPClient
import FleetToken
package import Logging
import ServiceLifecycle
package import ServiceSupport
import TokenIssuance
import TokenMinting
import UnixSignals

/// The service in production: every caller authenticated, every ID granted, every decision recorded.
package struct ProductionMode: Sendable {
    package let configuration: ProductionConfiguration
    let path: String
    /// The address to listen on instead of the configured one.
    let listen: ListenAddress?
    /// The files that the configuration names, each as it was before it was read.
    let files: FileSnapshot

    /// Reads and checks a file.
    ///
    /// - Throws: ``OperatorError`` with all that is wrong, a line each.
    package init(path: String, listeningAt address: String? = nil) throws(OperatorError) {
        listen = if let address { try ListenAddress(setting: address) } else { nil }
        configuration = try ProductionConfiguration(path: path, listen: listen)
        files = FileSnapshot(of: configuration.files)
        self.path = path
    }

    /// Reads and checks a file, for the start: if it cannot be used, all that it names is checked too.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - option: The address to listen on, before that of the environment and the configuration's.
    ///   - environment: The environment's variables.
    /// - Returns: The mode.
    /// - Throws: ``OperatorError`` with all that is wrong, a line each.
    package static func checked(
        path: String,
        listeningAt option: String?,
        environment: [String: String]
    ) async throws(OperatorError) -> ProductionMode {
        do throws(OperatorError) {
            return try ProductionMode(path: path, listeningAt: option ?? environment["TOKEND_LISTEN"])
        } catch {
            let check = try? ConfigurationCheck(path: path, listeningAt: option, environment: environment)
            let complete = await check?.error()
            throw complete ?? error
        }
    }

    /// Returns the service, after reading all files of the configuration; it reloads them when they change, and the
    /// configuration on request.
    ///
    /// - Parameters:
    ///   - logger: The service's logger.
    ///   - logLevel: The logger's level, if the configuration sets it.
    ///   - environment: The environment's variables.
    ///   - clock: The clock.
    ///   - onReady: Called when the service is ready.
    /// - Returns: The service.
    /// - Throws: ``OperatorError`` with all that is wrong, a line each.
    package func service(
        logger: Logger,
        logLevel: LogLevel? = nil,
        environment: [String: String] = [:],
        clock: ServiceClock = .system,
        onReady: @escaping @Sendable (TokenDaemon.Addresses) -> Void = { _ in }
    ) async throws(OperatorError) -> TokenDaemon {
        let addresses = try GoogleAddresses.chosen(by: environment)
        if addresses.isEmulator {
            logger.warning("An emulator replaces Google for signing. Use this only for tests.")
        }
        // The usual signal for a reload, trapped before the files are read: no request is lost.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        let http = OutgoingClient(client, clock: clock)
        let shared = SharedResources(http: http, google: addresses, logger: logger, clock: clock)
        let loaded: LoadedService
        do throws(OperatorError) {
            loaded = try await LoadedService.load(configuration, shared)
        } catch {
            try? await client.shutdown()
            throw error
        }
        for warning in loaded.source.warnings { logger.warning("\(warning)") }
        logger.info("Local signing keys passed the self-test.")
        let current = CurrentService(loaded, shared, started: self, logLevel: logLevel)
        let components = current.components(reloadedBy: reloads)
        return daemon(current, background: [Self.closing(client)] + components) { addresses in
            logger.info(
                "The service is listening.",
                metadata: ["address": "\(addresses.service)", "admin": "\(addresses.admin)"]
            )
            SystemdNotification.ready(environment: environment)
            onReady(addresses)
        }
    }

    /// Returns the daemon of a loaded service.
    func daemon(
        _ current: CurrentService,
        background: [any Service],
        onReady: @escaping @Sendable (TokenDaemon.Addresses) -> Void
    ) -> TokenDaemon {
        TokenDaemon(
            addresses: .init(service: configuration.listen, admin: configuration.admin),
            policy: configuration.connections,
            trustedProxies: TrustedProxies(configuration.trustedProxies),
            outgoing: configuration.outgoingConnections,
            drain: configuration.drain,
            certificate: current.certificate,
            responder: current,
            keys: { current.loaded.publicKeys },
            readiness: { current.loaded.readiness },
            background: background,
            shared: current.shared,
            onReady: onReady
        )
    }

    /// Closes the connections to others in the end, after all that uses them, or when another service of the group has
    /// failed: the group waits for the fetches that this ends.
    private static func closing(_ client: HTTPClient) -> BackgroundWork {
        BackgroundWork(description: "OutgoingConnections") {
            try? await gracefulShutdown()
            // Not awaited: a connection that is being made takes seconds to end, and nothing depends on it any more.
            Task { try? await client.shutdown() }
        }
    }
}

extension ProductionConfiguration {
    /// The maximum number of simultaneous outgoing connections: each request to a webhook or to Google has its own.
    fileprivate var outgoingConnections: Int {
        let signing = kinds.values.reduce(0) { $0 + ($1.connections ?? 0) }
        return signing + webhooks.count * WebhookConfiguration.concurrency
    }
}
