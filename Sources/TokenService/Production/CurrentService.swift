import HTTPServer
import Logging
import ServiceSupport
import Synchronization
import TokenIssuance

/// The loaded service that responds now; a reload replaces it as a whole.
final class CurrentService: Sendable {
    /// The configuration's file.
    private let path: String
    /// The address to listen on instead of the configured one.
    private let listen: ListenAddress?
    let shared: SharedResources
    private let look: FileSnapshot.Look
    private let started: ProductionConfiguration
    /// The listener's certificate; nil where it has none.
    let certificate: ServerCertificate?
    private let stored: Mutex<LoadedService>

    /// Creates the service that was loaded first.
    ///
    /// - Parameters:
    ///   - loaded: The first service.
    ///   - path: The configuration's file.
    ///   - listen: The address to listen on instead of the configured one.
    ///   - shared: The resources that outlive each load.
    ///   - look: Looks whether a file has changed.
    init(
        _ loaded: LoadedService,
        path: String,
        listen: ListenAddress? = nil,
        shared: SharedResources,
        look: @escaping FileSnapshot.Look = { FileFingerprint(of: $0) }
    ) {
        stored = Mutex(loaded)
        started = loaded.configuration
        certificate = loaded.certificate.map { ServerCertificate($0, registry: shared.registry) }
        self.path = path
        self.listen = listen
        self.shared = shared
        self.look = look
    }

    /// What is loaded now; users keep the service that they began with.
    var loaded: LoadedService { stored.withLock { $0 } }

    /// Loads everything again and puts it in use, or withdraws credentials that are gone, and reports the problems.
    func reload() async -> ReloadOutcome {
        let (result, files) = await load()
        switch result {
        case .success(let new):
            return ReloadOutcome(files: files, warnings: new.warnings, forTheNextStart: replace(with: new))
        case .failure(let error):
            for change in loaded.withdraw(from: certificate, at: shared.clock.now) {
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
        var files = FileSnapshot(of: [path] + current.configuration.files, look)
        do throws(ConfigurationError) {
            let configuration = try ProductionConfiguration(path: path, listen: listen, isReload: true)
            // Before they are read: a change in between is then detected.
            files.add(configuration.files, look)
            let new = try await LoadedService.load(configuration, at: path, shared, replacing: current)
            return (.success(new), files.keeping(Set([path] + configuration.files)))
        } catch {
            return (.failure(error), files)
        }
    }

    /// Puts a service in use.
    ///
    /// - Returns: The settings that take effect at the next start.
    func replace(with new: LoadedService) -> [String] {
        // The previous service is released outside the lock, for which all requests would wait.
        _ = stored.withLock { exchange(&$0, with: new) }
        if let loaded = new.certificate { certificate?.use(loaded) }
        return new.configuration.settingsForTheNextStart(since: started)
    }
}
