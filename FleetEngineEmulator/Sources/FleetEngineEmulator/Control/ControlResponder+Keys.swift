#if Emulator
import JOSE
import StrictCoding

extension ControlResponder {
    /// The service accounts: `{"accounts": {address: {"role", "keyIds"}}}`.
    var keys: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("accounts")
            writer.object { writer in
                for account in engine.accounts.listing {
                    writer.name(text: account.email)
                    writer.object { writer in
                        writer.name("role")
                        writer.string(account.role.name)
                        writer.name("keyIds")
                        writer.array { writer in
                            for id in account.keyIDs { writer.string(id) }
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Adds accounts, or replaces their roles and keys.
    ///
    /// The body is `{"accounts": {address: {"role", "keys": [JWK…]}}}`. An empty list revokes an account's keys.
    /// `{"keys": [JWK…]}` beside the accounts replaces the keys that all share.
    func setKeys(_ body: [UInt8]) throws(EngineError) -> [UInt8] {
        let object = try Self.object(body)
        // All is read before anything changes.
        var accounts: [(email: String, role: Role?, keys: JWKSet?)] = []
        for account in object["accounts"]?.objectValue?.members ?? [] {
            let settings = account.value.objectValue ?? JSONObject()
            let role = try settings["role"]?.stringValue.map(Self.role)
            let keys = try settings["keys"].map(Self.set)
            guard keys == nil || role != nil || engine.accounts.account(account.name) != nil else {
                throw .field(.bodyMalformed, "role", "is missing for an account that is not known")
            }
            accounts.append((account.name, role, keys))
        }
        let shared = try object["keys"].map(Self.set)
        for (email, role, keys) in accounts {
            if let role { engine.accounts.set(role, for: email) }
            if let keys { _ = engine.accounts.setKeys(keys, for: email) }
        }
        if let shared { engine.accounts.setShared(shared) }
        return keys
    }

    private static func role(_ name: String) throws(EngineError) -> Role {
        guard let role = Role(name: name) else {
            throw .field(.bodyMalformed, "role", "is not a role of Fleet Engine")
        }
        return role
    }

    private static func set(_ keys: JSONValue) throws(EngineError) -> JWKSet {
        var writer = JSONWriter()
        writer.value(JSONValue(members: [("keys", keys)]))
        do {
            return try JWKSet(parsing: writer.bytes)
        } catch {
            throw EngineError(.bodyMalformed, error.description)
        }
    }
}
#endif
