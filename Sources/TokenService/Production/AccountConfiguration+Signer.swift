import JOSE
import TokenMinting

extension AccountConfiguration {
    /// What signs for the account, with its key read now.
    ///
    /// - Throws: ``MintingError`` that names the file and says what to do.
    func signer() throws(MintingError) -> any TokenSigner {
        LocalSigner(try serviceAccount())
    }

    /// How the signer is called in metrics.
    var signerLabel: SignerLabel { .local }

    private func serviceAccount() throws(MintingError) -> ServiceAccount {
        guard try !KeyFile.isReadableByOthers(file) else {
            throw MintingError(.file, "\(file) can be read by others. Run: chmod 600 \(file)")
        }
        let bytes = try KeyFile.read(file)
        do {
            switch self {
            case .serviceAccount: return try ServiceAccount(json: bytes)
            case .pem(_, let issuer, let keyID):
                return try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: bytes))
            }
        } catch {
            throw MintingError(.invalidServiceAccount, "\(file): \(OperatorMessage(error))")
        }
    }
}
