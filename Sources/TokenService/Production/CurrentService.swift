import Logging
import ServiceSupport
import Synchronization
import TokenIssuance
import TokenMinting

/// The loaded service that responds now; a reload replaces it as a whole.
final class CurrentService: Responder, Reloadable {
    /// What the service was started with.
    let started: ProductionMode
    let shared: SharedResources
    /// The level of the log, if the configuration sets it.
    private let logLevel: LogLevel?
    private let fingerprint: @Sendable (_ path: String) -> FileFingerprint
    /// The listener's certificate; nil where it has none.
    let certificate: ServerCertificate?
    private let inUse: Mutex<LoadedService>
    /// The configuration whose files are read next: the last one that SIGHUP read, or the one in use if SIGHUP could not
    /// read it.
    private let pendingConfiguration: Mutex<ProductionConfiguration>

    /// Creates the service that was loaded first.
    init(
        _ loaded: LoadedService,
        _ shared: SharedResources,
        started: ProductionMode,
        logLevel: LogLevel? = nil,
        fingerprint: @escaping @Sendable (_ path: String) -> FileFingerprint = { FileFingerprint(of: $0) }
    ) {
        inUse = Mutex(loaded)
        pendingConfiguration = Mutex(loaded.configuration)
        certificate = loaded.source.certificate.map { ServerCertificate($0) }
        self.started = started
        self.shared = shared
        self.logLevel = logLevel
        self.fingerprint = fingerprint
    }

    /// What is loaded now.
    var loaded: LoadedService { inUse.withLock { $0 } }

    /// Responds with the service that is loaded now, also if another is loaded meanwhile.
    func respond(to request: Request) async -> Response {
        await loaded.responder.respond(to: request)
    }

    /// Fetches the issuers' keys that are missing.
    func fetchIssuersKeys() async {
        let missing = await loaded.authenticator.jwts.prepare()
        if missing.isEmpty { shared.lifecycle.reachedAllIssuers() }
    }

    func snapshot(of paths: some Sequence<String>) -> FileSnapshot { FileSnapshot(of: paths, fingerprint) }

    func showState() {
        let (loaded, now) = (loaded, shared.clock.now)
        shared.metrics.keys.show(loaded.signers, logger: shared.logger)
        shared.metrics.keySets.show(loaded.authenticator.jwts.remoteIssuers)
        shared.metrics.credentials.show(loaded.source.credentials, at: now)
    }

    /// Loads what is to be read again and puts it in use, or withdraws credentials that are gone, and reports the problems.
    func reload(_ trigger: ReloadTrigger) async -> ReloadOutcome {
        let (result, files) = await load(trigger)
        switch result {
        case .success(let new):
            // The previous service is released outside the lock, for which all requests would wait.
            _ = inUse.withLock { exchange(&$0, with: new) }
            if let loaded = new.source.certificate { certificate?.use(loaded) }
            logLevel?.value = new.configuration.logLevel
            let waiting = new.configuration.settingsRequiringRestart(since: started.configuration)
            return ReloadOutcome(files: files, warnings: new.source.warnings, requiringRestart: waiting)
        case .failure(let error):
            let revocations = loaded.withdraw()
            for revocation in revocations {
                shared.logger.warning("A credential was revoked. \(revocation)")
            }
            return ReloadOutcome(files: files, problems: error.problems, hasRevoked: !revocations.isEmpty)
        }
    }

    /// Reads the files of the configuration again, and on request the configuration before them.
    ///
    /// Unchanged parts are reused, and the files in use are looked at again if the new service cannot be loaded.
    ///
    /// - Returns: The service, or the problems; and the files as they were before they were read, if they were.
    func load(_ trigger: ReloadTrigger) async -> (Result<LoadedService, OperatorError>, FileSnapshot?) {
        let current = loaded
        if trigger == .request {
            do throws(OperatorError) {
                let read = try ProductionConfiguration(path: started.path, listen: started.listen, isReload: true)
                pendingConfiguration.withLock { $0 = read }
            } catch {
                pendingConfiguration.withLock { $0 = current.configuration }
                return (.failure(error), nil)
            }
        }
        let configuration = pendingConfiguration.withLock { $0 }
        // Before they are read: a change in between is then detected.
        let files = snapshot(of: current.configuration.files + configuration.files)
        do throws(OperatorError) {
            let new = try await LoadedService.load(configuration, at: started.path, shared, replacing: current)
            let named = Set(configuration.files)
            return (.success(new), files.filter { named.contains($0.key) })
        } catch {
            return (.failure(error), files)
        }
    }
}
