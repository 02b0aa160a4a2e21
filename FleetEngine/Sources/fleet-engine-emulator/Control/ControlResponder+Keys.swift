extension ControlResponder {
    /// The service accounts: `{"accounts": {address: {"role", "keyIds"}}}`.
    var keys: JSON {
        let accounts = engine.accounts.listing.map { email, role, keyIDs in
            JSON.Member(
                name: email,
                value: ["role": .string(role.name), "keyIds": .array(keyIDs.map(JSON.string))]
            )
        }
        return ["accounts": .object(accounts)]
    }

    /// Adds accounts, or replaces their roles and keys, until the next reset.
    ///
    /// The body is `{"accounts": {address: {"role", "keys": [JWK…]}}}`. An empty list revokes an account's keys.
    /// `{"keys": [JWK…]}` beside the accounts replaces the keys that all share.
    func setKeys(_ body: [UInt8]) async throws(EngineError) -> JSON {
        var members = try Members(body)
        // All is read before anything changes.
        var accounts: [(email: String, role: Role?, keys: [PublicKey]?)] = []
        var object = try members.object("accounts")
        let shared = members.take("keys")
        try members.end()
        guard object != nil || shared != nil else { throw members.mistake("accounts", "is missing, and so is keys") }
        for account in object?.takeAll() ?? [] {
            let path = "accounts.\(account.name)"
            var settings = try Members(account.value, at: path)
            let name = try settings.string("role")
            let keys = settings.take("keys")
            try settings.end()
            let role = name.flatMap { Role(name: $0) }
            guard name == nil || role != nil else { throw settings.mistake("role", "is not a role of Fleet Engine") }
            guard role != nil || engine.accounts.account(account.name) != nil else {
                throw settings.mistake("role", "is missing for an account that is not known")
            }
            accounts.append((account.name, role, try await Self.keys(keys, at: "\(path).keys")))
        }
        engine.accounts.change(accounts, shared: try await Self.keys(shared, at: "keys"))
        return keys
    }

    private static func keys(_ value: JSON?, at path: String) async throws(EngineError) -> [PublicKey]? {
        guard let value else { return nil }
        do {
            return try await PublicKey.keys(of: ["keys": value])
        } catch {
            throw .malformed(path, "is no list of JSON Web Keys: \(error)")
        }
    }
}
