import FleetToken
import HTTPServer
package import Logging
import ServiceConfiguration
package import ServiceSupport
import Telemetry
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
        // Before the files are read and the manager knows of the service: no request to reload them is lost.
        let triggers = await Reloader.system(clock: clock)
        let shared = SharedResources(
            network: .live(google: google, clock: clock),
            logger: logger,
            clock: clock
        )
        let look: FileSnapshot.Look = { FileFingerprint(of: $0) }
        var files = files
        files.add(configuration.files, look)
        let loaded: LoadedService
        do {
            loaded = try await LoadedService.load(configuration, at: path, shared)
        } catch {
            shared.network.shutdown()
            throw configuration.located(error, in: path)
        }
        for warning in loaded.warnings { logger.warning("\(warning)") }
        logger.info("Local signing keys passed the self-test.")
        let current = CurrentService(loaded, path: path, listen: listen, shared: shared, look: look)
        let display = KeyDisplay(metrics: shared.metrics, logger: logger)
        display.show(loaded.rings, loaded.credentials, at: clock.now)
        let reloader = Reloader(
            files: files,
            look: look,
            triggers: triggers,
            reload: {
                guard let manager else { return await current.reload() }
                return await manager.reloading(current.reload)
            },
            onTick: {
                let loaded = current.loaded
                display.show(loaded.rings, loaded.credentials, at: clock.now)
            },
            status: ReloadStatus(),
            clock: clock,
            metrics: shared.metrics,
            logger: logger
        )
        shared.metrics.lastReload.set(Double(clock.now.seconds))
        return server(shared, current: current, reloader: reloader, manager: manager) { addresses in
            logger.info(
                "The service is listening.",
                metadata: ["address": "\(addresses.service)", "admin": "\(addresses.admin)"]
            )
            onReady(addresses)
        }
    }

    /// Returns the listeners of the service in use, and what runs beside them.
    private func server(
        _ shared: SharedResources,
        current: CurrentService,
        reloader: Reloader,
        manager: ServiceManager?,
        onReady: @escaping @Sendable (TokenServer.Addresses) -> Void
    ) -> TokenServer {
        let (logger, clock) = (shared.logger, shared.clock)
        let lifecycle = Lifecycle()
        let awaited = Warmup.Missing(configuration.callers.filter(\.awaitsIssuer).map(\.name))
        let issuers = Warmup(
            clock: clock,
            missing: awaited,
            prepare: {
                let away = await current.loaded.authenticator.tokens.prepare()
                // An issuer that has responded once is not awaited again, even if its keys expire.
                return awaited.names.filter(away.contains)
            },
            isEndless: true
        )
        let unreachable = Warmup.Missing(current.loaded.unreachable)
        let signers = Warmup(
            clock: clock,
            missing: unreachable,
            prepare: {
                let test = await SigningTest(of: current.loaded.rings, at: clock.now)
                for problem in test.problems {
                    logger.error("A key failed the signing test.", metadata: ["problem": "\(problem)"])
                }
                return test.failing
            }
        )
        let reporter = RefusalReporter(
            tally: shared.tally,
            audit: { current.loaded.audit },
            clock: clock,
            logger: logger
        )
        let watch = AuditWatch(
            audit: { current.loaded.audit },
            clock: clock
        )
        let readiness = Readiness.production(
            current,
            unreachable: unreachable,
            awaited: awaited,
            status: reloader.status
        )
        let recorder = ResponseRecorder(clock: clock, metrics: shared.metrics, logger: logger)
        let health = HealthResponder(
            responder: { current.loaded.responder },
            path: { current.loaded.configuration.healthPath },
            lifecycle: lifecycle,
            readiness: RecentReadiness(clock: clock) { await readiness.report().isReady },
            recorder: recorder
        )
        return TokenServer(
            TokenServer.Settings(
                addresses: .init(service: configuration.listen, admin: configuration.admin),
                limits: configuration.limits,
                trustedProxies: configuration.trustedProxies,
                outgoing: configuration.outgoing,
                drain: .seconds(configuration.drain)
            ),
            certificate: current.certificate,
            responder: health,
            adminResponder: AdminResponder(
                hosts: .admin(configuration.admin),
                keys: { current.loaded.publicKeys },
                readiness: readiness,
                registry: shared.registry,
                lifecycle: lifecycle,
                recorder: recorder
            ),
            background: [watch] + (current.loaded.redis.map { [$0] } ?? [])
                + [reporter, reloader, issuers, signers],
            lifecycle: lifecycle,
            manager: manager,
            clock: clock,
            logger: logger,
            onReady: onReady,
            onEnd: shared.network.shutdown
        )
    }
}

extension ProductionConfiguration {
    /// The maximum number of simultaneous requests to webhooks and to Google, each with a connection of its own.
    fileprivate var outgoing: Int {
        let signing = kinds.values.reduce(Int64(0)) { count, kind in
            if case .iam(let iam) = kind.account { count + iam.concurrency } else { count }
        }
        return Int(webhooks.reduce(signing) { $0 + $1.concurrency })
    }
}

extension CallerConfiguration {
    fileprivate var awaitsIssuer: Bool {
        if case .jwt(let issuer) = method { issuer.isRequired } else { false }
    }
}
