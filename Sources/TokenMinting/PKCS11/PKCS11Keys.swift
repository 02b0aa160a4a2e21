import FleetToken
import ServiceSupport
import Synchronization

/// The keys in PKCS#11 tokens that are open, which the next reload finds here.
package final class PKCS11Keys: Sendable {
    /// The maximum time for a module to open a key.
    private static let openLimit = Duration.seconds(5)

    private let refusals = PKCS11Refusals()
    /// The keys of the last opened configuration, which the next one reuses.
    private let keys = Mutex<[PKCS11Configuration: Result<PKCS11Key, any Error>]>([:])

    /// Creates a set without keys, that has tried no PIN.
    package init() {}

    /// Opens keys.
    ///
    /// A key that is open already stays so, and no other session is opened for it.
    func open(_ configurations: Set<PKCS11Configuration>) async {
        var opened: [PKCS11Configuration: Result<PKCS11Key, any Error>] = [:]
        for key in configurations {
            do {
                opened[key] = .success(try await open(key))
            } catch {
                opened[key] = .failure(error)
            }
        }
        keys.withLock { $0 = opened }
    }

    private func open(_ configuration: PKCS11Configuration) async throws -> PKCS11Key {
        let pin = try ConfigurationError.within("pkcs11.pinFile") { try SecretFile.pin(configuration.pinFile) }
        if case .success(let known)? = keys.withLock({ $0[configuration] }), known.pin == pin, known.isCurrent {
            return known
        }
        // Its code runs in this process.
        try ConfigurationError.within("pkcs11.module") { try TrustedFile(configuration.module).require() }
        return try await PKCS11Key.open(configuration, pin: pin, refusals: refusals, within: Self.openLimit)
    }

    /// Returns a key that was opened, or throws why it cannot be used.
    func key(_ configuration: PKCS11Configuration) throws -> PKCS11Key {
        guard let key = try keys.withLock({ $0[configuration] })?.get() else {
            throw ConfigurationError("The key \(configuration.key) in the token \(configuration.token) is not open.")
        }
        return key
    }
}
