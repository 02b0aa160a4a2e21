import JOSE

/// API keys, and their lines in a file as the documentation describes them: ID, SHA-256, expiry and label.
package enum TestAPIKey {
    private static let id = "testkey00001"
    package static let key = key(id)
    package static let line = line(id)

    /// The key with an ID of twelve letters and digits.
    package static func key(_ id: String) -> String { "ftk_\(id)_\(String(repeating: "s", count: 43))" }

    /// The line of the key with this ID.
    package static func line(_ id: String, expires: String = "never") -> String {
        "\(id) \(SHA256Digest(of: Array(key(id).utf8)).hexadecimal) \(expires) backend"
    }
}
