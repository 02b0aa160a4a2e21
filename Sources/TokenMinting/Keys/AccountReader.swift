import FleetToken
import JOSE
import ServiceSupport
import Synchronization

/// Reads the files of accounts, and opens the keys of those that are in a PKCS#11 token.
package final class AccountReader: Sendable {
    /// The maximum time for a module to open a key.
    private static let openLimit = Duration.seconds(5)

    /// Creates a reader that has tried no PIN.
    package init() {}

    private let refusals = PKCS11Refusals()
    /// The keys of the last opened configuration, which the next one reuses.
    private let keys = Mutex<[PKCS11Configuration: Result<OpenKey, any Error>]>([:])

    private struct OpenKey {
        let key: PKCS11Key
        let pin: Secret
    }

    /// Opens the keys in tokens, each once, for ``read(_:)`` to find them or why they cannot be used.
    ///
    /// A key that is open already stays so, and no other session is opened for it.
    package func open(_ accounts: some Sequence<AccountConfiguration>) async {
        var opened: [PKCS11Configuration: Result<OpenKey, any Error>] = [:]
        for account in accounts {
            guard case .pkcs11(let key, _, _) = account, opened[key] == nil else { continue }
            do {
                opened[key] = .success(try await open(key))
            } catch {
                opened[key] = .failure(error)
            }
        }
        keys.withLock { $0 = opened }
    }

    private func open(_ configuration: PKCS11Configuration) async throws -> OpenKey {
        let pin = try ConfigurationError.within("pkcs11.pinFile") { try SecretFile.pin(configuration.pinFile) }
        if case .success(let known)? = keys.withLock({ $0[configuration] }), known.pin == pin, known.key.isCurrent {
            return known
        }
        // Its code runs in this process.
        try ConfigurationError.within("pkcs11.module") { try TrustedFile(configuration.module).require() }
        let key = try await PKCS11Key.open(configuration, pin: pin, refusals: refusals, within: Self.openLimit)
        return OpenKey(key: key, pin: pin)
    }

    /// Returns the account, with its file read now.
    ///
    /// - Throws: ``ConfigurationError``, ``MintingError`` or ``PKCS11Error`` that describes the fix.
    package func read(_ configuration: AccountConfiguration) throws -> SigningAccount {
        switch configuration {
        case .serviceAccount(let file):
            return .key(try account(configuration, at: file) { try ServiceAccount(json: $0) })
        case .pem(let file, let issuer, let keyID):
            return .key(
                try account(configuration, at: file) {
                    try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: $0))
                }
            )
        case .pkcs11(let key, let issuer, let keyID):
            guard let key = try keys.withLock({ $0[key] })?.get().key else {
                throw ConfigurationError("\(configuration.name) is not open.")
            }
            return .token(try PKCS11Signer(issuer: issuer, keyID: keyID, key: key))
        case .iam(let iam):
            guard let file = iam.credentials else { return .iam(iam, .metadataServer) }
            return .iam(iam, .serviceAccount(try account(configuration, at: file) { try ServiceAccount(json: $0) }))
        }
    }

    /// Returns the signer for a key on this machine.
    ///
    /// - Throws: As ``read(_:)`` does, and ``MintingError`` when Google has the key.
    package func localSigner(_ configuration: AccountConfiguration) throws -> any TokenSigner {
        switch try read(configuration) {
        case .key(let account): return LocalSigner(account)
        case .token(let signer): return signer
        case .iam(let iam, _):
            throw MintingError(
                .invalidServiceAccount,
                "\(iam.account) has its key at Google, which rotates it automatically."
            )
        }
    }

    private func account(
        _ configuration: AccountConfiguration,
        at file: String,
        _ parse: ([UInt8]) throws -> ServiceAccount
    ) throws(ConfigurationError) -> ServiceAccount {
        try ConfigurationError.within(configuration.fileSetting) {
            let bytes = try TrustedFile(file).read(isPrivate: true)
            do {
                return try parse(bytes)
            } catch {
                throw ConfigurationError("\(file): \(OperatorMessage(error))")
            }
        }
    }
}
