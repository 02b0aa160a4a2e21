#if Emulator
import FleetToken
import JOSE
import Synchronization

/// The service accounts that the emulator knows: their roles and public keys.
final class AccountRegistry: Sendable {
    /// A service account.
    struct Account: Sendable {
        var role: Role
        /// Keys of this account alone; a key of the shared set is accepted as well.
        var keys = JWKSet()
        var project: String?
    }

    private struct State {
        var accounts: [String: Account] = [:]
        /// Keys that do not say whose they are, such as those of a key set.
        var shared = JWKSet()
    }

    private let state: Mutex<State>

    /// Creates a registry with the accounts of `tokend dev`, whose keys come later.
    init() {
        var accounts: [String: Account] = [:]
        for kind in TokenKind.allCases {
            if let role = Role(kind) { accounts["\(kind.rawValue)@development.invalid"] = Account(role: role) }
        }
        state = Mutex(State(accounts: accounts))
    }

    /// Adds an account, or gives one another role.
    func set(_ role: Role, for email: String) {
        state.withLock { state in
            state.accounts[email, default: Account(role: role)].role = role
            state.accounts[email]?.project = Self.project(of: email)
        }
    }

    /// Replaces the keys of an account that is known.
    ///
    /// - Returns: Whether it is known.
    func setKeys(_ keys: JWKSet, for email: String) -> Bool {
        state.withLock { state in
            guard state.accounts[email] != nil else { return false }
            state.accounts[email]?.keys = keys
            return true
        }
    }

    /// Replaces the keys that all accounts share.
    func setShared(_ keys: JWKSet) {
        state.withLock { $0.shared = keys }
    }

    /// Returns an account; nil if it is unknown.
    func account(_ email: String) -> Account? {
        state.withLock { $0.accounts[email] }
    }

    /// Returns the key of an account with an ID.
    func key(_ keyID: String, of account: Account) -> JWK? {
        account.keys[keyID] ?? state.withLock { $0.shared[keyID] }
    }

    /// All accounts, by address: role and key IDs.
    var listing: [(email: String, role: Role, keyIDs: [String])] {
        state.withLock { state in
            state.accounts.sorted { $0.key < $1.key }.map { email, account in
                (email, account.role, (account.keys.keys + state.shared.keys).map(\.keyID))
            }
        }
    }

    /// The project of a Google service account: `NAME@PROJECT.iam.gserviceaccount.com`.
    private static func project(of email: String) -> String? {
        let suffix = ".iam.gserviceaccount.com"
        guard email.hasSuffix(suffix), let at = email.firstIndex(of: "@") else { return nil }
        return String(email[email.index(after: at)...].dropLast(suffix.count))
    }
}
#endif
