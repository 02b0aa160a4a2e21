import COpenSSL

/// Initialization of libcrypto.
enum Libcrypto {
    /// Initializes libcrypto once; call it before the first use.
    ///
    /// By default `exit` deinitializes libcrypto while other threads may still sign, or exit and free libcrypto's
    /// per-thread data: they crash. The system reclaims the memory anyway (`OPENSSL_INIT_NO_ATEXIT` in
    /// OPENSSL_init_crypto(3), which has no effect after the process has used libcrypto).
    static func prepare() {
        _ = isPrepared
    }

    private static let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
