import JOSE
package import ServiceConfiguration
import ServiceSupport

/// The signer of a service account: all that depends on its sort is here and in its own type.
package enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// A PEM file, with the two facts that it doesn't hold.
    case pem(file: String, issuer: String, keyID: String)
    /// Google itself, by its IAM Credentials API, with the key file of the calling service account; nil for the machine's own.
    case iam(account: String, credentials: String?)
    /// A key in a PKCS#11 token, with the two facts that it doesn't hold.
    case pkcs11(PKCS11Configuration, issuer: String, keyID: String)

    /// The file that is read for it; nil where Google needs none.
    package var file: String? {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(_, let credentials): credentials
        case .pkcs11(let key, _, _): key.pinFile
        }
    }

    /// The setting that names the file.
    package var fileSetting: String {
        switch self {
        case .serviceAccount: "serviceAccount"
        case .pem: "pem"
        case .iam: "credentials"
        case .pkcs11: "pkcs11.pinFile"
        }
    }

    /// The name in messages: the key's file, the address at Google, or the token.
    package var name: String {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): file
        case .iam(let account, _): account
        case .pkcs11(let key, _, _): "The key \(key.key) in the token \(key.token)"
        }
    }

    /// What is there if nothing is wrong, with the modes of files, as a sentence.
    package var summary: String {
        let mode = file.map { KeyFile.permissions($0) ?? "its mode is not known" } ?? ""
        return switch self {
        case .serviceAccount(let file): "\(file) is a service account key (\(mode))."
        case .pem(let file, _, _): "\(file) is a private key (\(mode))."
        case .pkcs11(let key, _, _): "The token \(key.token) has a key labelled \(key.key)."
        case .iam(_, let credentials):
            credentials.map { "\($0) is a service account key (\(mode))." } ?? "No key file is needed."
        }
    }

    /// Whether the key's file exists; always true for keys that are not in a file.
    package var isPresent: Bool {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): KeyFile.isPresent(file)
        case .iam, .pkcs11: true
        }
    }
}

// MARK: - The signer

extension AccountConfiguration {
    /// What a signer elsewhere needs: simultaneous connections, and milliseconds for a signature; nil for keys on this machine.
    package var network: (connections: Int64, milliseconds: Int64)? {
        if case .iam = self { (IAMSigner.concurrency, Self.signatureTime) } else { nil }
    }

    /// The maximum milliseconds of a signature elsewhere, unless half of a request's time is less: Google takes about 100.
    private static let signatureTime: Int64 = 5000

    /// Returns the signer, with its file read now.
    ///
    /// - Parameters:
    ///   - tokens: Has opened the keys in PKCS#11 tokens.
    ///   - google: Reaches Google.
    ///   - queue: The queue of all keys in this process; nil to sign immediately.
    ///   - handle: The maximum time of a request.
    /// - Returns: The signer.
    /// - Throws: ``ConfigurationError``, ``MintingError`` or ``PKCS11Error`` that describes the fix.
    package func signer(
        tokens: PKCS11Keys,
        google: GoogleClient,
        queue: SigningQueue? = nil,
        handle: Duration = .seconds(60)
    ) throws -> any TokenSigner {
        // Half of the time is left to the rest of the way.
        var queue = queue
        queue?.limits = AdmissionLimits(wait: handle / 2)
        let time = min(.milliseconds(Self.signatureTime), handle / 2)
        switch self {
        case .serviceAccount(let file):
            return LocalSigner(try account(at: file) { try ServiceAccount(json: $0) }, queue: queue)
        case .pem(let file, let issuer, let keyID):
            let account = try account(at: file) {
                try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: $0))
            }
            return LocalSigner(account, queue: queue)
        case .pkcs11(let key, let issuer, let keyID):
            return try PKCS11Signer(issuer: issuer, keyID: keyID, key: try tokens.key(key), time: time, queue: queue)
        case .iam(let address, let file):
            let caller = try file.map { try account(at: $0) { try ServiceAccount(json: $0) } }
            return IAMSigner(account: address, credentials: caller, time: time, client: google, queue: queue)
        }
    }

    private func account(
        at file: String,
        _ parse: ([UInt8]) throws -> ServiceAccount
    ) throws(ConfigurationError) -> ServiceAccount {
        try ConfigurationError.within(fileSetting) {
            let bytes = try TrustedFile(file).read(isPrivate: true)
            do {
                return try parse(bytes)
            } catch {
                throw ConfigurationError("\(file): \(OperatorMessage(error))")
            }
        }
    }
}

extension PKCS11Keys {
    /// Opens the keys of those accounts that have them in PKCS#11 tokens, before their signers are created.
    package func open(_ accounts: some Sequence<AccountConfiguration>) async {
        var keys: Set<PKCS11Configuration> = []
        for case .pkcs11(let key, _, _) in accounts { keys.insert(key) }
        await open(keys)
    }
}

// MARK: - Reading

extension AccountConfiguration {
    /// The settings of which exactly one selects the signer.
    private static let sources = ["serviceAccount", "pem", "iam", "pkcs11"]

    /// Creates the configuration from the settings of a kind.
    package init?(_ section: ConfigurationSection) {
        let source = section.oneOf(Self.sources)
        let given = (issuer: section["issuer"], keyID: section["keyId"])
        let (issuer, keyID) = (given.issuer?.text(), given.keyID?.text())
        let credentials = section["credentials"]
        let credentialsFile = credentials?.file()
        guard let source else { return nil }
        /// Returns the two facts that a key without an account doesn't hold.
        func names() -> (issuer: String, keyID: String)? {
            if let issuer, let keyID { return (issuer, keyID) }
            section.report(
                "\(source.name) requires issuer (the service account's email address) and keyId (the key's ID at Google)."
            )
            return nil
        }
        if source.name != "pem", source.name != "pkcs11", given.issuer != nil || given.keyID != nil {
            section.report(
                "issuer and keyId are only for pem and pkcs11; for serviceAccount and iam they are known."
            )
        }
        if source.name != "iam", credentials != nil { section.report("credentials is only for iam.") }
        switch source.name {
        case "pem":
            guard let file = source.value.file(), let (issuer, keyID) = names() else {
                return nil
            }
            self = .pem(file: file, issuer: issuer, keyID: keyID)
        case "pkcs11":
            let key = source.value.section { PKCS11Configuration($0) }
            guard let key, let (issuer, keyID) = names() else { return nil }
            self = .pkcs11(key, issuer: issuer, keyID: keyID)
        case "iam":
            guard let account = source.value.text() else { return nil }
            guard ServiceAccountAddress.isGoogles(account) else {
                source.value.report(
                    "must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
                )
                return nil
            }
            self = .iam(account: account, credentials: credentialsFile)
        default:
            guard let file = source.value.file() else { return nil }
            self = .serviceAccount(file: file)
        }
    }
}
