import Synchronization

/// The service accounts that the emulator knows: their roles and public keys.
final class AccountRegistry: Sendable {
    /// A service account.
    struct Account: Sendable {
        let role: Role
        /// Keys of this account alone; a key of the shared sets is accepted as well.
        var keys: [PublicKey] = []
        /// The project of a Google service account; nil for an address that doesn't tell.
        let project: String?

        init(_ email: String, role: Role) {
            self.role = role
            // NAME@PROJECT.iam.gserviceaccount.com
            let suffix = ".iam.gserviceaccount.com"
            let at = email.hasSuffix(suffix) ? email.firstIndex(of: "@") : nil
            project = at.map { String(email[email.index(after: $0)...].dropLast(suffix.count)) }
        }
    }

    private struct State {
        var accounts: [String: Account] = [:]
        /// Keys that do not say whose they are, such as those of a key set.
        var shared: [PublicKey] = []
    }

    private let state: Mutex<State>

    /// Creates a registry with the accounts of `tokend dev`, whose keys come later, and those with a role.
    init(roles: [String: Role] = [:]) {
        var initial = State()
        for (kind, role) in Role.ofKinds {
            let email = "\(kind)@development.invalid"
            initial.accounts[email] = Account(email, role: role)
        }
        for (email, role) in roles { initial.accounts[email] = Account(email, role: role) }
        state = Mutex(initial)
    }

    /// Adds an account, if it is not known.
    func add(_ email: String, role: Role) {
        state.withLock { $0.accounts[email] = $0.accounts[email] ?? Account(email, role: role) }
    }

    /// Replaces the keys of an account.
    ///
    /// - Returns: Whether it is known.
    func setKeys(_ keys: [PublicKey], of email: String) -> Bool {
        state.withLock { state in
            state.accounts[email]?.keys = keys
            return state.accounts[email] != nil
        }
    }

    /// Replaces the keys that all accounts share.
    func setSharedKeys(_ keys: [PublicKey]) {
        state.withLock { $0.shared = keys }
    }

    /// Returns an account; nil if it is unknown.
    func account(_ email: String) -> Account? {
        state.withLock { $0.accounts[email] }
    }

    /// Returns the key of an account with an ID.
    func key(_ keyID: String, of account: Account) -> PublicKey? {
        (account.keys + state.withLock { $0.shared }).first { $0.id.hasSameBytes(as: keyID) }
    }
}
