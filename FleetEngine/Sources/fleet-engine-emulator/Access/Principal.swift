/// Whose token a request has: the service account that signed it, and the token's claims.
struct Principal: Sendable {
    /// What a claim grants access to.
    enum Value: Hashable, Sendable {
        case ids([String])
        case wildcard

        /// Returns whether the claim grants access to an ID, byte by byte.
        func contains(_ id: String) -> Bool {
            guard case .ids(let ids) = self else { return true }
            return ids.contains { $0.hasSameBytes(as: id) }
        }
    }

    let email: String
    let role: Role
    /// The Google Cloud project; nil where the address has none.
    let project: String?
    let claims: [ScopeClaim: Value]
}
