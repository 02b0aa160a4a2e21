import HTTPServer
import ServiceConfiguration

/// Replaces the running service by the loaded one, and reports what waits for the next start.
struct ServiceSwap: Sendable {
    let current: Current<LoadedService>
    /// The configuration with which the service started.
    let started: ProductionConfiguration
    /// The listener's certificate; nil where it has none.
    let certificate: ServerCertificate?

    /// Puts it in place.
    ///
    /// - Returns: The settings that take effect at the next start.
    func put(_ loaded: LoadedService) -> [String] {
        current.replace(with: loaded)
        if let loaded = loaded.parts.certificate { certificate?.use(loaded) }
        return loaded.parts.configuration.settingsForTheNextStart(since: started)
    }
}
