import FleetToken
import JOSE
import TokenMinting

/// The service accounts that sign, read from their files and checked together.
struct SigningAccounts {
    /// The accounts that can be used.
    private(set) var byKind: [TokenKind: ServiceAccount] = [:]
    /// What is wrong with the others.
    private(set) var problems: [String] = []
    /// What runs, and would better be otherwise.
    private(set) var warnings: [String] = []

    init(_ kinds: [TokenKind: KindConfiguration]) {
        for kind in TokenKind.allCases {
            guard let configuration = kinds[kind] else { continue }
            do {
                byKind[kind] = try Self.read(configuration.account)
            } catch {
                problems.append("kinds.\(kind.rawValue): \(OperatorMessage(error))")
            }
        }
        checkSharing()
    }

    private static func read(_ account: AccountConfiguration) throws -> ServiceAccount {
        let path =
            switch account {
            case .serviceAccount(let file), .pem(let file, _, _): file
            }
        guard try !KeyFile.isReadableByOthers(path) else {
            throw MintingError(.file, "\(path) can be read by others. Run: chmod 600 \(path)")
        }
        let bytes = try KeyFile.read(path)
        do {
            switch account {
            case .serviceAccount: return try ServiceAccount(json: bytes)
            case .pem(_, let issuer, let keyID):
                return try ServiceAccount(email: issuer, keyID: keyID, key: try RSAPrivateKey(pem: bytes))
            }
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
