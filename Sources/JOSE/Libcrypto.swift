import COpenSSL

/// The library that does the arithmetic.
enum Libcrypto {
    /// Sets libcrypto up, once; called before whatever may use it first.
    ///
    /// By default `exit` takes libcrypto apart, while other threads may still sign, or end and free what libcrypto keeps
    /// for each: they crash. The system takes the memory back anyway (`OPENSSL_INIT_NO_ATEXIT` in OPENSSL_init_crypto(3),
    /// which has no effect once the process has used libcrypto otherwise).
    static func prepare() {
        _ = isPrepared
    }

    private static let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// The SHA-256 digest of a message (FIPS 180-4), 32 bytes.
    static func sha256(_ message: [UInt8]) -> [UInt8] {
        prepare()
        var digest = [UInt8](repeating: 0, count: 32)
        let succeeded = EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        // It fails only when memory runs out or libcrypto was built without SHA-256; a wrong digest must not get away.
        precondition(succeeded == 1, "libcrypto has no SHA-256")
        return digest
    }
}
