import JOSE

/// Keys that tests share, since making one takes a while.
enum SharedKeys {
    private static let libcryptoKeys = Result { (try LibcryptoKey("RSA"), try LibcryptoKey("RSA")) }
    private static let keys = Result {
        (try RSAPrivateKey(pem: libcryptoKey().pkcs8()), try RSAPrivateKey(pem: otherLibcryptoKey().pkcs8()))
    }

    /// The key that signs.
    static func key() throws -> RSAPrivateKey { try keys.get().0 }
    /// Somebody else's.
    static func otherKey() throws -> RSAPrivateKey { try keys.get().1 }
    /// The key that signs, as libcrypto's own.
    static func libcryptoKey() throws -> LibcryptoKey { try libcryptoKeys.get().0 }
    /// Somebody else's, as libcrypto's own.
    static func otherLibcryptoKey() throws -> LibcryptoKey { try libcryptoKeys.get().1 }
}
