package import FleetToken
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
    ///   - now: The wall clock.
    ///   - onReady: Called once, with the addresses, when both listeners listen.
    /// - Returns: The service, to be run.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    package func service(
        logger: Logger,
        environment: [String: String] = [:],
        manager: ServiceManager? = nil,
        now: @escaping @Sendable () -> NumericDate = { .now },
        onReady: @escaping @Sendable (TokenServer.Addresses) -> Void = { _ in }
    ) async throws(ConfigurationError) -> TokenServer {
        let google = try GoogleEndpoints.chosen(by: environment)
        if google.isEmulator {
            logger.warning("An emulator replaces Google for signing. Use this only for tests.")
        }
        // Before the files are read and the manager knows of the service: no request to reload them is lost.
        let triggers = await Reloader.system()
        let shared = SharedResources(
            network: .live(google: google),
            signing: configuration.signing,
            processor: Processor(environment: environment),
            logger: logger,
            now: now
        )
        let loader = ProductionLoader(path: path, listen: listen, shared: shared)
        var files = files
        files.add(configuration.files, loader.look)
        let loaded: LoadedService
        do {
            loaded = try await loader.make(configuration)
        } catch {
            shared.network.shutdown()
            throw configuration.located(error, in: path)
        }
        for warning in loaded.parts.warnings { logger.warning("\(warning)") }
        logger.info("Local signing keys passed the self-test.", metadata: ["signing": "\(shared.signingStatus)"])
        let lifecycle = Lifecycle()
        let certificate = loaded.parts.certificate.map { ServerCertificate($0, registry: shared.registry) }
        let current = Current(loaded)
        let status = ReloadStatus()
        let awaited = Warmup.Missing(configuration.callers.filter(\.awaitsIssuer).map(\.name))
        let display = KeyDisplay(metrics: shared.metrics, logger: logger)
        let reloader = reloader(
            files,
            loader: loader,
            swap: ServiceSwap(current: current, started: configuration, certificate: certificate),
            status: status,
            display: display,
            triggers: triggers,
            manager: manager
        )
        let issuers = Warmup(
            missing: awaited,
            prepare: {
                let away = await current.value.tokens.prepare()
                // An issuer that has answered once is not awaited again, even if its keys expire.
                return awaited.names.filter(away.contains)
            },
            isEndless: true
        )
        let unreachable = Warmup.Missing(loaded.unreachable)
        let signers = Warmup(
            missing: unreachable,
            prepare: {
                let test = await SigningTest(of: current.value.parts.rings, at: now())
                for problem in test.problems {
                    logger.error("A key failed the signing test.", metadata: ["problem": "\(problem)"])
                }
                return test.failing
            }
        )
        let reporter = RefusalReporter(
            tally: shared.tally,
            audit: { current.value.parts.issuance?.audit },
            now: now,
            logger: logger
        )
        let watch = AuditWatch(
            audit: { current.value.parts.issuance?.audit },
            syncs: configuration.audit.sync == .interval
        )
        shared.metrics.lastReload.set(Double(now().seconds))
        display.show(loaded.parts.rings, loaded.parts.credentials, at: now())
        let readiness = Readiness.production(
            current,
            batches: shared.threads.batches,
            unreachable: unreachable,
            awaited: awaited,
            status: status
        )
        let recorder = ResponseRecorder(metrics: shared.metrics, logger: logger)
        let health = HealthResponder(
            responder: CurrentResponder(current: current),
            path: { current.value.parts.configuration.healthPath },
            lifecycle: lifecycle,
            readiness: RecentReadiness(monotonic: shared.monotonic) { await readiness.report().isReady },
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
            certificate: certificate,
            responder: health,
            adminResponder: AdminResponder(
                hosts: .admin(configuration.admin),
                keys: { current.value.parts.publicKeys },
                readiness: readiness,
                registry: shared.registry,
                lifecycle: lifecycle,
                now: now,
                recorder: recorder
            ),
            background: [watch] + (loaded.parts.redis.map { [$0.store] } ?? [])
                + [reporter, reloader, issuers, signers],
            lifecycle: lifecycle,
            manager: manager,
            logger: logger,
            onReady: { addresses in
                logger.info(
                    "The service is listening.",
                    metadata: ["address": "\(addresses.service)", "admin": "\(addresses.admin)"]
                )
                onReady(addresses)
            },
            onEnd: shared.network.shutdown
        )
    }

    private func reloader(
        _ files: FileSnapshot,
        loader: ProductionLoader,
        swap: ServiceSwap,
        status: ReloadStatus,
        display: KeyDisplay,
        triggers: @escaping Reloader.Triggers,
        manager: ServiceManager?
    ) -> Reloader {
        let shared = loader.shared
        let current = swap.current
        let reload: @Sendable () async -> ReloadOutcome = {
            let (result, files) = await loader.load(replacing: current.value)
            switch result {
            case .failure(let error):
                for change in current.value.parts.withdraw(from: swap.certificate, at: shared.now()) {
                    shared.logger.warning("A credential was revoked. \(change)")
                }
                return ReloadOutcome(files: files, problems: error.problems)
            case .success(let loaded):
                return ReloadOutcome(files: files, warnings: loaded.parts.warnings, forTheNextStart: swap.put(loaded))
            }
        }
        return Reloader(
            files: files,
            look: loader.look,
            triggers: triggers,
            reload: {
                guard let manager else { return await reload() }
                return await manager.reloading(reload)
            },
            onTick: {
                let parts = current.value.parts
                display.show(parts.rings, parts.credentials, at: shared.now())
            },
            status: status,
            now: shared.now,
            metrics: shared.metrics,
            logger: shared.logger
        )
    }
}

extension ProductionConfiguration {
    /// How many requests to webhooks and to Google there may be at once, each with a connection of its own.
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
