package import JOSE

/// RSA keys that tests share, since making one takes a while.
package enum TestKeys {
    private static let keys = Result { try (0..<5).map { _ in try RSAPrivateKey.generate() } }

    /// One of five keys, from 0.
    package static func rsa(_ number: Int) throws -> RSAPrivateKey { try keys.get()[number] }
}
