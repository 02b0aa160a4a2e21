import Synchronization

/// The service accounts that the emulator knows: their roles and public keys.
final class AccountRegistry: Sendable {
    /// A service account.
    struct Account: Sendable {
        let role: Role
        private(set) var keys: [PublicKey] = []
        /// The project of a Google service account; nil for an address that doesn't tell.
        let project: String?

        init(_ email: String, role: Role) {
            self.role = role
            // NAME@PROJECT.iam.gserviceaccount.com
            let suffix = ".iam.gserviceaccount.com"
            let at = email.hasSuffix(suffix) ? email.firstIndex(of: "@") : nil
            project = at.map { String(email[email.index(after: $0)...].dropLast(suffix.count)) }
        }

        /// Returns the key with an ID; nil if there is none.
        func key(_ id: String) -> PublicKey? { keys.first { $0.id.hasSameBytes(as: id) } }

        /// Adds a key, in place of one with the same ID.
        mutating func add(_ key: PublicKey) {
            keys.removeAll { $0.id.hasSameBytes(as: key.id) }
            keys.append(key)
        }
    }

    private let accounts: Mutex<[String: Account]>

    /// Creates a registry with the accounts of `tokend dev`, whose keys come later, and those with a role.
    init(roles: [String: Role] = [:]) {
        var accounts: [String: Account] = [:]
        for (kind, role) in Role.ofKinds {
            let email = "\(kind)@development.invalid"
            accounts[email] = Account(email, role: role)
        }
        for (email, role) in roles { accounts[email] = Account(email, role: role) }
        self.accounts = Mutex(accounts)
    }

    /// Returns an account; nil if it is unknown.
    func account(_ email: String) -> Account? { accounts.withLock { $0[email] } }

    /// Adds a key of an account, and the account itself if it is unknown and there is a role for it.
    ///
    /// - Returns: Whether the account is known.
    func add(_ key: PublicKey, of email: String, role: Role?) -> Bool {
        accounts.withLock { accounts in
            var account = accounts[email] ?? role.map { Account(email, role: $0) }
            account?.add(key)
            accounts[email] = account
            return account != nil
        }
    }
}
