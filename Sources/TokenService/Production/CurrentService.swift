import Logging
import ServiceSupport
import Synchronization
import TokenIssuance
import TokenMinting

/// The loaded service that responds now; a reload replaces it as a whole.
final class CurrentService: Responder {
    /// What the service was started with.
    let started: ProductionMode
    let shared: SharedResources
    /// The level of the log, if the configuration sets it.
    private let logLevel: LogLevel?
    /// The listener's certificate; nil where it has none.
    let certificate: ServerCertificate?
    private let inUse: Mutex<LoadedService>

    /// Creates the service that was loaded first.
    init(_ loaded: LoadedService, _ shared: SharedResources, started: ProductionMode, logLevel: LogLevel? = nil) {
        inUse = Mutex(loaded)
        certificate = loaded.source.certificate.map { ServerCertificate($0) }
        self.started = started
        self.shared = shared
        self.logLevel = logLevel
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

    /// Puts another service in use.
    func use(_ new: LoadedService) {
        // The previous service is released outside the lock, for which all requests would wait.
        _ = inUse.withLock { exchange(&$0, with: new) }
        if let loaded = new.source.certificate { certificate?.use(loaded) }
        logLevel?.value = new.configuration.logLevel
    }

    /// Updates the metrics of what is in use, which also depend on the time.
    func showState() {
        let (loaded, now) = (loaded, shared.clock.now)
        shared.metrics.keys.show(loaded.signers, logger: shared.logger)
        shared.metrics.keySets.show(loaded.authenticator.jwts.remoteIssuers)
        shared.metrics.credentials.show(loaded.source.credentials, at: now)
    }
}
