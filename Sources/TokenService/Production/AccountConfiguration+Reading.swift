import JOSE
import TokenMinting

extension AccountConfiguration {
    /// Whether there is such a key; one at Google is always there.
    var isPresent: Bool {
        switch self {
        case .serviceAccount(let file), .pem(let file, _, _): KeyFile.isPresent(file)
        case .iam: true
        }
    }

    /// The account, with its file read now.
    ///
    /// - Throws: ``MintingError`` that names the file and says what to do.
    func read() throws(MintingError) -> SigningAccount {
        switch self {
        case .serviceAccount(let file):
            return .key(try Self.read(file) { try ServiceAccount(json: $0) })
        case .pem(let file, let issuer, let keyID):
            return .key(
                try Self.read(file) { try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: $0)) }
            )
        case .iam(let iam):
            guard let file = iam.credentials else { return .iam(iam, .metadataServer) }
            return .iam(iam, .serviceAccount(try Self.read(file) { try ServiceAccount(json: $0) }))
        }
    }

    /// What signs with the key that is in the file.
    ///
    /// - Throws: ``MintingError`` that names the file, or says that the key is at Google.
    func localSigner() throws(MintingError) -> any TokenSigner {
        guard case .key(let account) = try read() else {
            throw MintingError(.invalidServiceAccount, "\(name) has its key at Google, who changes it unasked.")
        }
        return LocalSigner(account)
    }

    private static func read(
        _ file: String,
        _ parse: ([UInt8]) throws -> ServiceAccount
    ) throws(MintingError) -> ServiceAccount {
        guard try !KeyFile.isReadableByOthers(file) else {
            throw MintingError(.file, "\(file) can be read by others. Run: chmod 600 \(file)")
        }
        let bytes = try KeyFile.read(file)
        do {
            return try parse(bytes)
        } catch {
            throw MintingError(.invalidServiceAccount, "\(file): \(OperatorMessage(error))")
        }
    }
}
