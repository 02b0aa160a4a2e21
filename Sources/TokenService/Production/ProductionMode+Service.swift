import CoreMetrics
public import FleetToken
public import Logging
import TokenMinting

extension ProductionMode {
    /// The service, with every file read that the configuration names; it reads them anew when they change.
    ///
    /// - Parameters:
    ///   - logger: Gets the access log.
    ///   - environment: The process's environment.
    ///   - manager: What started the process, if it wants to be told how the service is.
    ///   - now: The wall clock.
    ///   - onReady: Called once, with the addresses, when both listeners listen.
    /// - Returns: The service, to be run.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    public func service(
        logger: Logger,
        environment: [String: String] = [:],
        manager: ServiceManager? = nil,
        now: @escaping @Sendable () -> NumericDate = { .now },
        onReady: @escaping @Sendable (TokenService.Addresses) -> Void = { _ in }
    ) async throws(ConfigurationError) -> TokenService {
        let google = try GoogleEndpoints.chosen(by: environment)
        if google.isEmulator {
            logger.warning("A stand-in for Google is asked for signatures. This is for tests.")
        }
        let lasting = LastingParts(network: .live(google: google), logger: logger, now: now)
        let loader = ProductionLoader(path: path, listen: listen, lasting: lasting)
        var files = files
        files.add(configuration.files, loader.look)
        let loaded: LoadedService
        do {
            loaded = try await loader.make(configuration)
        } catch {
            lasting.network.shutdown()
            throw error
        }
        for warning in loaded.parts.warnings { logger.warning("\(warning)") }
        let lifecycle = Lifecycle()
        let certificate = loaded.parts.certificate.map { ServerCertificate($0, registry: lasting.registry) }
        let current = Current(loaded)
        let status = ReloadStatus()
        let missing = Preparation.Missing(configuration.callers.filter(\.hasIssuer).map(\.name))
        let display = KeyDisplay(metrics: lasting.metrics, logger: logger)
        let reloader = reloader(
            files,
            loader,
            ServiceSwap(current: current, started: configuration, certificate: certificate),
            status,
            display,
            manager
        )
        let issuers = Preparation(missing: missing, prepare: { await current.value.tokens.prepare() })
        let unreachable = Preparation.Missing(loaded.unreachable)
        let signers = Preparation(
            missing: unreachable,
            prepare: {
                let test = await SigningTest(of: current.value.parts.rings, at: now())
                for problem in test.problems { logger.error("A key cannot sign.", metadata: ["problem": "\(problem)"]) }
                return test.failing
            }
        )
        let reporter = RefusalReporter(
            tally: lasting.tally,
            audit: { current.value.parts.issuance?.audit },
            now: now,
            logger: logger
        )
        lasting.metrics.lastReload.set(now().seconds)
        display.show(loaded.parts.rings, at: now())
        return TokenService(
            addresses: .init(service: configuration.listen, admin: configuration.admin),
            certificate: certificate,
            limits: configuration.limits,
            trustedProxies: configuration.trustedProxies,
            outgoing: configuration.outgoing,
            responder: CurrentResponder(current: current),
            adminResponder: AdminResponder(
                hosts: .admin(configuration.admin),
                keys: { current.value.parts.publicKeys },
                readiness: .production(current, missing, unreachable, status),
                registry: lasting.registry,
                lifecycle: lifecycle,
                metrics: lasting.metrics,
                logger: logger
            ),
            background: (loaded.parts.redis.map { [$0.store] } ?? []) + [reporter, reloader, issuers, signers],
            lifecycle: lifecycle,
            drain: .seconds(configuration.drain),
            manager: manager,
            logger: logger,
            onReady: { addresses in
                logger.info(
                    "The service is listening.",
                    metadata: ["address": "\(addresses.service)", "admin": "\(addresses.admin)"]
                )
                onReady(addresses)
            },
            onEnd: lasting.network.shutdown
        )
    }

    private func reloader(
        _ files: FileSnapshot,
        _ loader: ProductionLoader,
        _ swap: ServiceSwap,
        _ status: ReloadStatus,
        _ display: KeyDisplay,
        _ manager: ServiceManager?
    ) -> Reloader {
        let lasting = loader.lasting
        let current = swap.current
        let reload: @Sendable () async -> ReloadOutcome = {
            let (result, files) = await loader.load(replacing: current.value)
            switch result {
            case .failure(let error): return ReloadOutcome(files: files, problems: error.problems)
            case .success(let loaded):
                return ReloadOutcome(files: files, warnings: loaded.parts.warnings, forTheNextStart: swap.put(loaded))
            }
        }
        return Reloader(
            files: files,
            look: loader.look,
            triggers: Reloader.system,
            reload: {
                guard let manager else { return await reload() }
                return await manager.reloading(reload)
            },
            onTick: { display.show(current.value.parts.rings, at: lasting.now()) },
            status: status,
            now: lasting.now,
            metrics: lasting.metrics,
            logger: lasting.logger
        )
    }
}

extension ServiceConfiguration {
    /// How many requests to webhooks and to Google there may be at once, each with a connection of its own.
    fileprivate var outgoing: Int {
        let signing = kinds.values.reduce(Int64(0)) { count, kind in
            if case .iam(let iam) = kind.account { count + iam.concurrency } else { count }
        }
        return Int(webhooks.reduce(signing) { $0 + $1.concurrency })
    }
}

extension CallerConfiguration {
    fileprivate var hasIssuer: Bool {
        if case .jwt = method { true } else { false }
    }
}
