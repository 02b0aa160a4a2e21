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
}
