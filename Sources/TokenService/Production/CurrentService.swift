import Logging
import ServiceSupport
import Synchronization
import TokenIssuance

/// The loaded service that responds now; a reload replaces it as a whole.
final class CurrentService: Sendable {
    /// The configuration that was started with, and its file.
    let mode: ProductionMode
    let shared: SharedResources
    private let look: FileSnapshot.Look
    /// The listener's certificate; nil where it has none.
    let certificate: ServerCertificate?
    private let stored: Mutex<LoadedService>
    private let issuersWereReached = Atomic<Bool>(false)

    /// Creates the service that was loaded first.
    init(
        _ loaded: LoadedService,
        _ shared: SharedResources,
        mode: ProductionMode,
        look: @escaping FileSnapshot.Look = { FileFingerprint(of: $0) }
    ) {
        stored = Mutex(loaded)
        certificate = loaded.parts.certificate.map { ServerCertificate($0, registry: shared.metrics.registry) }
        self.mode = mode
        self.shared = shared
        self.look = look
    }

    /// What is loaded now; users keep the service that they began with.
    var loaded: LoadedService { stored.withLock { $0 } }

    /// Whether all issuers' keys have been there at one time since the start.
    ///
    /// Until then this replica must not replace one that has them. Afterwards an unavailable issuer, or a new one in the
    /// configuration, affects only its own callers.
    var hasReachedIssuers: Bool { issuersWereReached.load(ordering: .relaxed) }

    /// Fetches the issuers' keys that are missing.
    func fetchIssuersKeys() async {
        let missing = await loaded.authenticator.tokens.prepare()
        if missing.isEmpty { issuersWereReached.store(true, ordering: .relaxed) }
    }

    /// Loads everything again and puts it in use, or withdraws credentials that are gone, and reports the problems.
    func reload() async -> ReloadOutcome {
        let (result, files) = await load()
        switch result {
        case .success(let new):
            // The previous service is released outside the lock, for which all requests would wait.
            _ = stored.withLock { exchange(&$0, with: new) }
            if let loaded = new.parts.certificate { certificate?.use(loaded) }
            let waiting = new.configuration.settingsForTheNextStart(since: mode.configuration)
            return ReloadOutcome(files: files, warnings: new.parts.warnings, forTheNextStart: waiting)
        case .failure(let error):
            for change in loaded.withdraw() {
                shared.logger.warning("A credential was revoked. \(change)")
            }
            return ReloadOutcome(files: files, problems: error.problems)
        }
    }

    /// Reads the configuration and its files again.
    ///
    /// Unchanged parts are reused, and the files in use are looked at again if the new service cannot be loaded.
    ///
    /// - Returns: The service, or the problems; and the files as they were before they were read.
    func load() async -> (Result<LoadedService, ConfigurationError>, FileSnapshot) {
        let current = loaded
        var files = FileSnapshot(of: [mode.path] + current.configuration.files, look)
        do throws(ConfigurationError) {
            let configuration = try ProductionConfiguration(path: mode.path, listen: mode.listen, isReload: true)
            // Before they are read: a change in between is then detected.
            files.add(configuration.files, look)
            let new = try await LoadedService.load(configuration, at: mode.path, shared, replacing: current)
            let named = Set([mode.path] + configuration.files)
            return (.success(new), files.filter { named.contains($0.key) })
        } catch {
            return (.failure(error), files)
        }
    }
}
