import CoreMetrics
public import FleetToken
public import Logging
import NIOSSL

extension ProductionMode {
    /// The service, with every file read that the configuration names; it reads them anew when they change.
    ///
    /// - Parameters:
    ///   - logger: Gets the access log.
    ///   - now: The wall clock.
    ///   - onReady: Called once, with the addresses, when both listeners listen.
    /// - Returns: The service, to be run.
    /// - Throws: ``ConfigurationError`` with all that is wrong, a line each.
    public func service(
        logger: Logger,
        now: @escaping @Sendable () -> NumericDate = { .now },
        onReady: @escaping @Sendable (TokenService.Addresses) -> Void = { _ in }
    ) async throws(ConfigurationError) -> TokenService {
        let lasting = LastingParts(network: .live(), logger: logger, now: now)
        let loader = ProductionLoader(path: path, listen: listen, lasting: lasting)
        var files = files
        files.add(configuration.files, loader.look)
        let loaded: LoadedService
        do {
            loaded = try await loader.make(configuration)
        } catch {
            await lasting.network.shutdown()
            throw error
        }
        for warning in loaded.parts.warnings { logger.warning("\(warning)") }
        let current = Current(loaded)
        let status = ReloadStatus()
        let missing = IssuerPreparation.Missing(configuration.callers.filter(\.hasIssuer).map(\.name))
        let reloader = reloader(files, loader, current, status)
        let preparation = IssuerPreparation(missing: missing, prepare: { await current.value.tokens.prepare() })
        lasting.metrics.lastReload.set(now().seconds)
        lasting.metrics.show(loaded.parts.rings, at: now())
        return TokenService(
            addresses: .init(service: configuration.listen, admin: configuration.admin),
            tls: loaded.parts.tls,
            limits: configuration.limits,
            trustedProxies: configuration.trustedProxies,
            responder: CurrentResponder(current: current),
            adminResponder: AdminResponder(
                keys: { current.value.parts.publicKeys },
                readiness: .production(current, missing, status),
                registry: lasting.registry,
                metrics: lasting.metrics,
                logger: logger
            ),
            background: [reloader, preparation],
            logger: logger,
            onReady: onReady,
            onEnd: lasting.network.shutdown
        )
    }

    private func reloader(
        _ files: FileSnapshot,
        _ loader: ProductionLoader,
        _ current: Current<LoadedService>,
        _ status: ReloadStatus
    ) -> Reloader {
        let started = configuration
        let startedTLS = current.value.parts.tls
        let lasting = loader.lasting
        return Reloader(
            files: files,
            look: loader.look,
            triggers: Reloader.system,
            reload: {
                let (result, files) = await loader.load(replacing: current.value)
                switch result {
                case .failure(let error): return ReloadOutcome(files: files, problems: error.problems)
                case .success(let loaded):
                    current.replace(with: loaded)
                    var settings = loaded.parts.configuration.settingsForTheNextStart(since: started)
                    // The listener keeps the certificate that it began with.
                    if let tls = loaded.parts.tls, let startedTLS, !tls.bestEffortEquals(startedTLS) {
                        settings.append("service.tls (its files)")
                    }
                    return ReloadOutcome(
                        files: files,
                        warnings: loaded.parts.warnings,
                        forTheNextStart: settings
                    )
                }
            },
            onTick: { lasting.metrics.show(current.value.parts.rings, at: lasting.now()) },
            status: status,
            now: lasting.now,
            metrics: lasting.metrics,
            logger: lasting.logger
        )
    }
}

extension Readiness {
    /// What has to be so before requests may come, and what an operator wants to know besides.
    fileprivate static func production(
        _ current: Current<LoadedService>,
        _ missing: IssuerPreparation.Missing,
        _ status: ReloadStatus
    ) -> Readiness {
        Readiness(checks: [
            // Nothing is put in place of what serves before each of its keys has signed.
            ReadinessCheck(name: "keys", problem: { nil }),
            ReadinessCheck(name: "issuers") {
                let names = missing.names
                return names.isEmpty
                    ? nil
                    : "no keys yet of the issuers of \(names.joined(separator: ", ")). Check that they can be reached from here; the log says what happens."
            },
            ReadinessCheck(name: "audit") {
                do {
                    try current.value.audit.check()
                    return nil
                } catch {
                    return "the audit trail cannot be written: \(OperatorMessage(error))"
                }
            },
            ReadinessCheck(name: "reload", isRequired: false) {
                status.failure.map { "what was loaded before keeps serving. \($0)" }
            },
            ReadinessCheck(name: "settings", isRequired: false) {
                status.forTheNextStart.map { "these take effect at the next start: \($0)" }
            },
        ])
    }
}

extension CallerConfiguration {
    fileprivate var hasIssuer: Bool {
        if case .jwt = method { true } else { false }
    }
}
