import FleetToken
import JOSE
import TestSupport
import TokenMinting

/// Service accounts that tests share.
enum Accounts {
    private static let accounts = Result {
        (
            // A `K`, because Unicode has a second one that Swift's strings hold to be equal.
            try ServiceAccount(email: "Kilo@development.invalid", keyID: "key-1", key: try TestKeys.rsa(0)),
            try ServiceAccount(email: "lima@development.invalid", keyID: "key-2", key: try TestKeys.rsa(1))
        )
    }

    /// The account that signs.
    static func first() throws -> ServiceAccount { try accounts.get().0 }
    /// Somebody else's.
    static func second() throws -> ServiceAccount { try accounts.get().1 }

    /// The published set with the first account's key, as an outsider reads it.
    static func keySet() throws -> JWKSet { try JWKSet(parsing: try minter().keys().encoded()) }

    /// A minter that signs all kinds with the first account.
    static func minter() throws -> TokenMinter { minter(LocalSigner(try first())) }

    /// A minter that signs all kinds with one signer.
    static func minter(_ signer: any TokenSigner) -> TokenMinter {
        TokenMinter(signers: Dictionary(uniqueKeysWithValues: TokenKind.allCases.map { ($0, signer) }))
    }

    /// When tests take place.
    static let now = NumericDate(seconds: 1_795_211_520)
}
