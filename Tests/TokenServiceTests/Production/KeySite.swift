import FleetToken
import Foundation
import JOSE
import ServiceSupport
import TestSupport
import TokenMinting
import TokenService

/// A folder with key files, API keys and a configuration that names them, for one test.
struct KeySite: Sendable {
    let folder: String

    @discardableResult
    static func with<Result>(_ body: (KeySite) async throws -> Result) async throws -> Result {
        try await withTemporaryDirectory { try await body(KeySite(folder: $0)) }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The bytes of a service account's key file.
    static func account(_ keyID: String, email: String = "driver@fleet.example", key: Int = 0) throws -> [UInt8] {
        try ServiceAccount(email: email, keyID: keyID, key: try TestKeys.rsa(key)).encoded()
    }

    /// Writes a file as its owner's only, in place of what is there.
    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>, mode: Int = 0o600) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// A key file's account.
    func account(_ name: String) -> AccountConfiguration { .serviceAccount(file: path(name)) }

    /// Writes a configuration that offers drivers' tokens to one backend.
    @discardableResult
    func configure(_ changes: (inout [String: Any]) -> Void = { _ in }) throws -> String {
        var configuration: [String: Any] = [
            "version": 1,
            "service": ["listen": "127.0.0.1:0", "drain": "0s"],
            "admin": ["listen": "127.0.0.1:0"],
            "kinds": ["driver": ["serviceAccount": path("driver.json")]],
            "callers": ["backend": ["apiKeys": ["file": path("api-keys")]]],
            "grants": ["any": ["callers": ["backend"], "kinds": ["driver"], "ids": "any"]],
            "audit": ["file": path("audit.jsonl")],
        ]
        changes(&configuration)
        return try write("tokend.yaml", try JSONSerialization.data(withJSONObject: configuration, options: .sortedKeys))
    }

    /// Writes all that the configuration names.
    func populate() throws {
        try write("driver.json", try Self.account("key-1"))
        try write("api-keys", Array(TestAPIKey.line.utf8))
        try configure()
    }
}

extension SigningKeys {
    /// Creates the signers of keys on this machine.
    init(_ kinds: [TokenKind: AccountConfiguration]) {
        self.init(kinds) { try $0.signer(google: GoogleClient(http: NoNetwork(), clock: .system)) }
    }
}
