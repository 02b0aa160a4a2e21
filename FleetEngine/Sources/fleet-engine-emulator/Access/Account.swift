/// A service account: its role, and the public keys that verify its tokens.
struct Account: Sendable {
    let role: Role
    /// The project of a Google service account; nil for an address without one.
    let project: String?
    private var keys: [PublicKey] = []

    init(_ email: String, role: Role) {
        self.role = role
        // NAME@PROJECT.iam.gserviceaccount.com
        let suffix = ".iam.gserviceaccount.com"
        let at = email.hasSuffix(suffix) ? email.firstIndex(of: "@") : nil
        project = at.map { String(email[email.index(after: $0)...].dropLast(suffix.count)) }
    }

    /// Returns the key with an ID; nil if there is none.
    func key(_ id: String) -> PublicKey? { keys.first { $0.id.hasSameBytes(as: id) } }

    /// Adds a key.
    mutating func add(_ key: PublicKey) { keys.append(key) }
}
