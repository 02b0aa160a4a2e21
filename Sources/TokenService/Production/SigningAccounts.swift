import FleetToken
import JOSE
import TokenMinting

/// The service accounts that sign, read from their files and checked together.
struct SigningAccounts {
    /// The accounts that can be used.
    private(set) var byKind: [TokenKind: SigningAccount] = [:]
    /// What is wrong with the others.
    private(set) var problems: [String] = []
    /// What runs, and would better be otherwise.
    private(set) var warnings: [String] = []

    init(_ kinds: [TokenKind: KindConfiguration]) {
        // Tokens count wrong PINs, and lock: with several kinds in one, the first attempt is the only one.
        var refusals: [String: PKCS11Error] = [:]
        for kind in TokenKind.allCases {
            guard let configuration = kinds[kind] else { continue }
            do {
                if case .pkcs11(let key, _, _) = configuration.account, let refusal = refusals[key.token] {
                    throw refusal
                }
                byKind[kind] = try Self.read(configuration.account)
            } catch {
                if case .pkcs11(let key, _, _) = configuration.account, let error = error as? PKCS11Error,
                    error.isRefusal
                {
                    refusals[key.token] = error
                }
                problems.append("kinds.\(kind.rawValue): \(OperatorMessage(error))")
            }
        }
        checkSharing()
    }

    private static func read(_ configuration: AccountConfiguration) throws -> SigningAccount {
        switch configuration {
        case .serviceAccount(let file): .key(try read(file) { try ServiceAccount(json: $0) })
        case .pem(let file, let issuer, let keyID):
            .key(try read(file) { try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: $0)) })
        case .pkcs11(let configuration, let issuer, let keyID):
            .token(
                try PKCS11Signer(
                    issuer: issuer,
                    keyID: keyID,
                    key: try PKCS11Key(
                        label: configuration.key,
                        token: configuration.token,
                        module: configuration.module,
                        pin: try PINFile.read(configuration.pinFile)
                    )
                )
            )
        case .iam(let iam):
            .iam(
                iam,
                try iam.credentials.map { .serviceAccount(try read($0) { try ServiceAccount(json: $0) }) }
                    ?? .metadataServer
            )
        }
    }

    private static func read(_ path: String, _ parse: ([UInt8]) throws -> ServiceAccount) throws -> ServiceAccount {
        guard try !KeyFile.isReadableByOthers(path) else {
            throw MintingError(.file, "\(path) can be read by others. Run: chmod 600 \(path)")
        }
        let bytes = try KeyFile.read(path)
        do {
            return try parse(bytes)
        } catch {
            throw MintingError(.invalidServiceAccount, "\(path): \(OperatorMessage(error))")
        }
    }

    /// Admin roles ignore a token's claims, so an app's token that such an account signs opens the whole fleet.
    private mutating func checkSharing() {
        for (kind, account) in byKind {
            for (other, otherAccount) in byKind where other.rawValue > kind.rawValue && other.role != kind.role {
                guard account.email.utf8.elementsEqual(otherAccount.email.utf8) else { continue }
                let names = "kinds.\(kind.rawValue) and kinds.\(other.rawValue) share a service account"
                if kind.isPrivileged != other.isPrivileged {
                    problems.append(
                        "\(names), and one of them opens everything: then so does the other. Give each its own."
                    )
                } else {
                    warnings.append("\(names). Give each its own, with its own role only.")
                }
            }
        }
        problems.sort()
        warnings.sort()
    }
}
