import Crypto
import FleetToken
import JOSE
import Synchronization
import TokenMinting

/// Reads the files of accounts, and opens the tokens of those whose keys are in one.
///
/// Tokens count wrong PINs, and lock. A PIN that was refused once is not tried again, by no other kind and no reload.
final class AccountReader: Sendable {
    private struct Attempt: Hashable {
        let token: String
        let pin: [UInt8]
    }

    private let refusals = Mutex<[Attempt: PKCS11Error]>([:])

    /// The account, with its file read now.
    ///
    /// - Throws: ``MintingError``, ``ConfigurationError`` or ``PKCS11Error`` that says what to do.
    func read(_ configuration: AccountConfiguration) throws -> SigningAccount {
        switch configuration {
        case .serviceAccount(let file):
            return .key(try account(file) { try ServiceAccount(json: $0) })
        case .pem(let file, let issuer, let keyID):
            return .key(
                try account(file) { try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: $0)) }
            )
        case .pkcs11(let key, let issuer, let keyID):
            return .token(try PKCS11Signer(issuer: issuer, keyID: keyID, key: try open(key)))
        case .iam(let iam):
            guard let file = iam.credentials else { return .iam(iam, .metadataServer) }
            return .iam(iam, .serviceAccount(try account(file) { try ServiceAccount(json: $0) }))
        }
    }

    /// What signs with a key that is on this machine.
    ///
    /// - Throws: As ``read(_:)`` does, and ``MintingError`` when Google has the key.
    func localSigner(_ configuration: AccountConfiguration) throws -> any TokenSigner {
        switch try read(configuration) {
        case .key(let account): return LocalSigner(account)
        case .token(let signer): return signer
        case .iam(let iam, _):
            throw MintingError(.invalidServiceAccount, "\(iam.account) has its key at Google, who changes it unasked.")
        }
    }

    private func account(
        _ file: String,
        _ parse: ([UInt8]) throws -> ServiceAccount
    ) throws(MintingError) -> ServiceAccount {
        try KeyFile.requirePrivate(file)
        let bytes = try KeyFile.read(file)
        do {
            return try parse(bytes)
        } catch {
            throw MintingError(.invalidServiceAccount, "\(file): \(OperatorMessage(error))")
        }
    }

    private func open(_ key: PKCS11Configuration) throws -> PKCS11Key {
        let pin = try PINFile.read(key.pinFile)
        let attempt = Attempt(token: key.token, pin: Array(SHA256.hash(data: pin.reveal())))
        if let refusal = refusals.withLock({ $0[attempt] }) { throw refusal }
        do {
            return try PKCS11Key(label: key.key, token: key.token, module: key.module, pin: pin)
        } catch let error as PKCS11Error where error.isRefusal {
            refusals.withLock { $0[attempt] = error }
            throw error
        }
    }
}
