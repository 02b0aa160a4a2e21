package import FleetToken
import JOSE
package import ServiceSupport

/// The signer of each kind, made from the keys' files and checked together.
package struct SigningKeys: Sendable {
    package typealias MakeSigner = (AccountConfiguration) throws -> any TokenSigner

    /// The signers that can be used.
    package private(set) var signers: [TokenKind: any TokenSigner] = [:]
    /// The problems of the others.
    package private(set) var problems: [Problem] = []
    package private(set) var warnings: [Problem] = []

    package init(_ kinds: [TokenKind: AccountConfiguration], makeSigner: MakeSigner) {
        for kind in TokenKind.allCases {
            do {
                signers[kind] = try kinds[kind].map(makeSigner)
            } catch {
                problems += Problem.all(of: error).map { $0.within("kinds.\(kind.rawValue)") }
            }
        }
        checkSharing()
    }

    /// The accounts for which they sign.
    package var accounts: [String] { signers.values.map(\.issuer) }

    /// Refuses a file whose key became another account's: no rotation does that, and a mistaken copy does.
    package mutating func checkAccounts(
        _ kinds: [TokenKind: AccountConfiguration],
        since known: (kinds: [TokenKind: AccountConfiguration], signers: [TokenKind: any TokenSigner])
    ) {
        for kind in TokenKind.allCases {
            guard let account = kinds[kind], known.kinds[kind] == account,
                let issuer = signers[kind]?.issuer, let before = known.signers[kind]?.issuer,
                !issuer.hasSameBytes(as: before)
            else { continue }
            problems.append(
                Problem(
                    "\(account.name) is now a key of another account, \(issuer) instead of \(before). Restore a key of that account; to sign with another account, use a different file.",
                    setting: "kinds.\(kind.rawValue)"
                )
            )
        }
    }

    /// Admin roles ignore a token's claims, so an app's token that such an account signs grants access to the whole fleet.
    private mutating func checkSharing() {
        let kinds = TokenKind.allCases.filter { signers[$0] != nil }
        for (index, kind) in kinds.enumerated() {
            for other in kinds[(index + 1)...] where other.role != kind.role {
                guard let issuer = signers[kind]?.issuer, let otherIssuer = signers[other]?.issuer,
                    issuer.hasSameBytes(as: otherIssuer)
                else { continue }
                let text = "shares a service account with kinds.\(other.rawValue)"
                let setting = "kinds.\(kind.rawValue)"
                if kind.isPrivileged != other.isPrivileged {
                    let reason = "and one of them has access to everything, so the other has it too"
                    problems.append(Problem("\(text), \(reason). Use a separate account for each.", setting: setting))
                } else {
                    let advice = "Use a separate account for each, with only its own role."
                    warnings.append(Problem("\(text). \(advice)", setting: setting))
                }
            }
        }
    }
}
