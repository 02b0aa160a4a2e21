import FleetToken
import HTTPServer
package import Logging
import ServiceLifecycle
package import ServiceSupport
import TokenIssuance
import TokenMinting

extension ProductionMode {
    /// Returns the service, after reading all files of the configuration; it reloads them when they change.
    ///
    /// - Parameters:
    ///   - logger: Gets the access log.
    ///   - environment: The process's environment.
    ///   - manager: The service manager that started the process, if it expects notifications.
    ///   - clock: The time.
    ///   - onReady: Called once, with the addresses, when both listeners listen.
    /// - Returns: The service, to be run.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package func service(
        logger: Logger,
        environment: [String: String] = [:],
        manager: ServiceManager? = nil,
        clock: ServiceClock = .system,
        onReady: @escaping @Sendable (TokenServer.Addresses) -> Void = { _ in }
    ) async throws(ConfigurationError) -> TokenServer {
        let google = try GoogleEndpoints.chosen(by: environment)
        if google.isEmulator {
            logger.warning("An emulator replaces Google for signing. Use this only for tests.")
        }
        let sockets = try PassedSockets(environment: environment)
        try sockets.require([configuration.listen, configuration.admin])
        // Before the files are read and the manager knows of the service: no request to reload them is lost.
        let triggers = await Reloader.system(clock: clock)
        let shared = SharedResources(
            network: .live(google: google, clock: clock),
            logger: logger,
            clock: clock
        )
        var files = files
        files.add(configuration.files) { FileFingerprint(of: $0) }
        let loaded: LoadedService
        do throws(ConfigurationError) {
            loaded = try await LoadedService.load(configuration, at: path, shared)
        } catch {
            shared.network.shutdown()
            throw error
        }
        for warning in loaded.parts.warnings { logger.warning("\(warning)") }
        let current = CurrentService(loaded, shared, mode: self)
        logger.info("Local signing keys passed the self-test.")
        let reloader = Reloader(of: current, files: files, triggers: triggers, manager: manager)
        return server(current, reloader, sockets: sockets, manager: manager) { addresses in
            logger.info(
                "The service is listening.",
                metadata: ["address": "\(addresses.service)", "admin": "\(addresses.admin)"]
            )
            onReady(addresses)
        }
    }

    /// Returns the listeners of the service in use, and the components that run beside them.
    private func server(
        _ current: CurrentService,
        _ reloader: Reloader,
        sockets: PassedSockets,
        manager: ServiceManager?,
        onReady: @escaping @Sendable (TokenServer.Addresses) -> Void
    ) -> TokenServer {
        let (shared, lifecycle) = (current.shared, Lifecycle())
        let readiness = Readiness.production(current, status: reloader.status)
        let recorder = ResponseRecorder(clock: shared.clock, metrics: shared.metrics, logger: shared.logger)
        let redis: [any Service] = current.loaded.redis.map { [$0] } ?? []
        return TokenServer(
            addresses: .init(service: configuration.listen, admin: configuration.admin),
            policy: configuration.connections,
            trustedProxies: configuration.trustedProxies,
            outgoing: configuration.outgoingConnections,
            drain: .seconds(configuration.drain),
            sockets: sockets,
            certificate: current.certificate,
            responder: CurrentResponder(
                current: current,
                lifecycle: lifecycle,
                readiness: RecentReadiness(clock: shared.clock) { await readiness.report().isReady },
                recorder: recorder
            ),
            adminResponder: AdminResponder(
                hosts: .admin(configuration.admin),
                keys: { current.loaded.publicKeys },
                readiness: readiness,
                lifecycle: lifecycle,
                recorder: recorder
            ),
            background: [BackgroundWork(watchingAuditOf: current)] + redis + [
                RefusalReporter(of: current), reloader, BackgroundWork(fetchingKeysOf: current),
                BackgroundWork(testingKeysOf: current),
            ],
            lifecycle: lifecycle,
            manager: manager,
            clock: shared.clock,
            logger: shared.logger,
            onReady: onReady,
            onEnd: shared.network.shutdown
        )
    }
}

extension ProductionConfiguration {
    /// The maximum number of simultaneous outgoing connections: each request to a webhook or to Google has its own.
    fileprivate var outgoingConnections: Int {
        let signing = kinds.values.reduce(Int64(0)) { $0 + ($1.account.network?.connections ?? 0) }
        return Int(signing) + webhooks.count * WebhookConfiguration.concurrency
    }
}
