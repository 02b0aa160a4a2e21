import Synchronization

/// The service accounts that the emulator knows: their roles and public keys.
///
/// What the control plane sets comes before what was configured, until a reset or a new key in a configured source.
final class AccountRegistry: Sendable {
    /// A service account.
    struct Account: Sendable {
        var role: Role
        /// Keys of this account alone; a key of the shared set is accepted as well.
        var keys: [PublicKey] = []
        /// The project of a Google service account; nil for an address that doesn't tell.
        var project: String?
    }

    private struct State {
        var accounts: [String: Account] = [:]
        /// Keys that do not say whose they are, such as those of a key set.
        var shared: [PublicKey] = []

        mutating func set(_ role: Role, for email: String) {
            accounts[email, default: Account(role: role)].role = role
            accounts[email]?.project = AccountRegistry.project(of: email)
        }
    }

    /// What was configured, and what is in force.
    private let state: Mutex<(configured: State, current: State)>

    /// Creates a registry with the accounts of `tokend dev`, whose keys come later, and those with a role.
    init(roles: [String: Role] = [:]) {
        var initial = State()
        for (kind, role) in Role.ofKinds { initial.set(role, for: "\(kind)@development.invalid") }
        for (email, role) in roles { initial.set(role, for: email) }
        state = Mutex((initial, initial))
    }

    /// Adds an account that is configured, if it is not known.
    func add(_ email: String, role: Role) {
        state.withLock { state in
            guard state.configured.accounts[email] == nil else { return }
            state.configured.set(role, for: email)
            state.current.set(role, for: email)
        }
    }

    /// Replaces the configured keys of an account.
    ///
    /// - Returns: Whether it is known.
    func configure(_ keys: [PublicKey], for email: String) -> Bool {
        state.withLock { state in
            guard state.configured.accounts[email] != nil else { return false }
            state.configured.accounts[email]?.keys = keys
            state.current.accounts[email]?.keys = keys
            return true
        }
    }

    /// Replaces the configured keys that all accounts share.
    func configureShared(_ keys: [PublicKey]) {
        state.withLock { state in
            state.configured.shared = keys
            state.current.shared = keys
        }
    }

    /// Changes roles and keys until the next reset; nil leaves them as they are.
    func change(_ accounts: [(email: String, role: Role?, keys: [PublicKey]?)], shared: [PublicKey]?) {
        state.withLock { state in
            for (email, role, keys) in accounts {
                if let role { state.current.set(role, for: email) }
                if let keys { state.current.accounts[email]?.keys = keys }
            }
            if let shared { state.current.shared = shared }
        }
    }

    /// Restores what was configured.
    func reset() {
        state.withLock { $0.current = $0.configured }
    }

    /// Returns an account; nil if it is unknown.
    func account(_ email: String) -> Account? {
        state.withLock { $0.current.accounts[email] }
    }

    /// Returns the key of an account with an ID.
    func key(_ keyID: String, of account: Account) -> PublicKey? {
        (account.keys + state.withLock { $0.current.shared }).first { $0.id.hasSameBytes(as: keyID) }
    }

    /// All accounts, by address: role and key IDs.
    var listing: [(email: String, role: Role, keyIDs: [String])] {
        state.withLock { state in
            state.current.accounts.sorted { $0.key < $1.key }.map { email, account in
                (email, account.role, (account.keys + state.current.shared).map(\.id))
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
