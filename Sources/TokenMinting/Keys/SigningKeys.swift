package import FleetToken
import JOSE
package import ServiceSupport
import StrictCoding

/// The key rings, built from their files and checked together.
package struct SigningKeys: Sendable {
    package typealias MakeSigner = (AccountConfiguration) throws -> any TokenSigner

    /// The rings that can be used.
    package private(set) var rings: [TokenKind: KeyRing] = [:]
    /// The problems of the other rings.
    package private(set) var problems: [Problem] = []
    package private(set) var warnings: [Problem] = []

    package init(
        _ kinds: [TokenKind: KindConfiguration],
        at now: NumericDate,
        makeSigner: MakeSigner
    ) {
        for kind in TokenKind.allCases {
            guard let configuration = kinds[kind],
                let ring = ring(kind, configuration: configuration, makeSigner: makeSigner)
            else { continue }
            rings[kind] = ring
            if ring.isPromoted(at: now) {
                warnings.append(
                    Problem(
                        "has passed, so the next key signs. Make it the current key: tokenctl keys promote --kind \(kind.rawValue)",
                        setting: "kinds.\(kind.rawValue).next.from"
                    )
                )
            }
        }
        checkNames()
        checkSharing()
    }

    /// The accounts for which they sign.
    package var accounts: [String] { rings.values.flatMap(\.accounts) }

    /// Refuses a file whose key became another account's: no rotation does that, and a mistaken copy does.
    package mutating func checkAccounts(
        _ kinds: [TokenKind: KindConfiguration],
        since known: (kinds: [TokenKind: KindConfiguration], rings: [TokenKind: KeyRing])
    ) {
        for kind in TokenKind.allCases {
            guard let account = kinds[kind]?.account, known.kinds[kind]?.account == account,
                let ring = rings[kind], let before = known.rings[kind],
                !ring.issuer.hasSameBytes(as: before.issuer)
            else { continue }
            problems.append(
                Problem(
                    "\(account.name) is now a key of another account, \(ring.issuer) instead of \(before.issuer). Restore a key of that account; to sign with another account, use a different file.",
                    setting: "kinds.\(kind.rawValue)"
                )
            )
        }
    }

    private mutating func ring(
        _ kind: TokenKind,
        configuration: KindConfiguration,
        makeSigner: MakeSigner
    ) -> KeyRing? {
        let path = "kinds.\(kind.rawValue)"
        func signer(_ account: AccountConfiguration?, _ path: String) -> (any TokenSigner)? {
            do {
                return try account.map(makeSigner)
            } catch {
                problems += Problem.all(of: error).map { $0.within(path) }
                return nil
            }
        }
        let current = signer(configuration.account, path)
        // Their keys may not exist yet, or any more.
        let next = signer(configuration.next.flatMap { $0.account.isPresent ? $0.account : nil }, "\(path).next")
        let previous = signer(configuration.previous.flatMap { $0.isPresent ? $0 : nil }, "\(path).previous")
        guard let current else { return nil }
        if let account = configuration.next?.account, let next {
            let setting = "\(path).next.\(account.fileSetting)"
            if !next.issuer.hasSameBytes(as: current.issuer) {
                problems.append(
                    Problem(
                        "\(account.name) is a key of another account, \(next.issuer). Create one for the same account: gcloud iam service-accounts keys create --iam-account=\(current.issuer)",
                        setting: setting
                    )
                )
            }
            if let known = current.publicKeys.first, next.publicKeys.first?.key == known.key {
                let text =
                    "\(account.name) has the current key, so nothing will rotate. Create another key for the account."
                warnings.append(Problem(text, setting: setting))
            }
        }
        return KeyRing(current: current, next: next, from: configuration.next?.from, previous: previous)
    }

    /// Warns about an account whose name says another kind, as when two key files were swapped.
    private mutating func checkNames() {
        for kind in TokenKind.allCases {
            guard let ring = rings[kind] else { continue }
            let account = String(decoding: ring.issuer.utf8.prefix { $0 != UInt8(ascii: "@") }, as: UTF8.self)
            let words = Set(account.utf8.lowercasedASCII.split { !$0.isASCIISmall }.map { Array($0) })
            let named = TokenKind.allCases.filter { kind in
                kind.rawValue.utf8.split(separator: UInt8(ascii: "_")).allSatisfy { words.contains(Array($0)) }
            }
            let other = named.max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
            guard !named.contains(kind), let other, other.role != kind.role, let swapped = rings[other],
                !ring.sharesAccount(with: swapped)
            else { continue }
            warnings.append(
                Problem(
                    "signs with \(ring.issuer), whose name says \(other.rawValue). Check that the key files of the two kinds are not swapped.",
                    setting: "kinds.\(kind.rawValue)"
                )
            )
        }
    }

    /// Admin roles ignore a token's claims, so an app's token that such an account signs grants access to the whole fleet.
    private mutating func checkSharing() {
        let kinds = TokenKind.allCases.filter { rings[$0] != nil }
        for (index, kind) in kinds.enumerated() {
            for other in kinds[(index + 1)...] where other.role != kind.role {
                guard let ring = rings[kind], let otherRing = rings[other], ring.sharesAccount(with: otherRing) else {
                    continue
                }
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

extension KeyRing {
    fileprivate var accounts: [String] { signers.map(\.issuer) }

    fileprivate func sharesAccount(with other: KeyRing) -> Bool {
        accounts.contains { account in other.accounts.contains { $0.hasSameBytes(as: account) } }
    }
}
