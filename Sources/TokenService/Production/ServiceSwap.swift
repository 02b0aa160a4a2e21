import NIOSSL

/// Puts what was loaded in place of what serves, and tells what of it waits for the next start.
struct ServiceSwap: Sendable {
    let current: Current<LoadedService>
    /// The configuration with which the service started.
    let started: ServiceConfiguration
    /// The certificate, and what belongs to it, with which it started.
    let startedTLS: TLSConfiguration?
    /// Gives the listener another certificate; nil where it keeps the one that it began with.
    var useTLS: (@Sendable (TLSConfiguration) -> Void)?

    /// Puts it in place.
    ///
    /// - Returns: The settings that take effect at the next start.
    func put(_ loaded: LoadedService) -> [String] {
        current.replace(with: loaded)
        var settings = loaded.parts.configuration.settingsForTheNextStart(since: started)
        if let tls = loaded.parts.tls, let startedTLS {
            if let useTLS {
                useTLS(tls)
            } else if !tls.bestEffortEquals(startedTLS) {
                settings.append("service.tls (its files)")
            }
        }
        return settings
    }
}
