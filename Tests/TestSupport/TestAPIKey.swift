import JOSE

/// An API key, and its line in a file as the documentation describes it: ID, SHA-256, expiry and label.
package enum TestAPIKey {
    package static let key = "ftk_testkey00001_\(String(repeating: "s", count: 43))"

    package static let line = "testkey00001 \(SHA256Digest(of: Array(key.utf8)).hexadecimal) never backend"
}
