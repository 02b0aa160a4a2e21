import COpenSSL

/// The library that does the arithmetic.
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

    /// Unchecked, because the pointer is opaque to the compiler: an algorithm never changes.
    private struct DigestAlgorithm: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    /// The size of a SHA-256 digest in bytes.
    static let digestSize = 32

    /// Looked up by name once; `EVP_sha256` alone does that for each digest.
    private static let digestAlgorithm = DigestAlgorithm(pointer: EVP_MD_fetch(nil, "SHA2-256", nil))

    /// Returns the SHA-256 digest of a message (FIPS 180-4), 32 bytes.
    static func sha256(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digestSize) { digest, count in
            sha256(message, into: digest)
            count = digestSize
        }
    }

    /// Computes a digest, as ``sha256(_:)`` does.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - digest: Memory for ``digestSize`` bytes.
    static func sha256(_ message: [UInt8], into digest: UnsafeMutableBufferPointer<UInt8>) {
        prepare()
        precondition(digest.count >= digestSize, "No room for a digest")
        let succeeded = EVP_Digest(message, message.count, digest.baseAddress, nil, digestAlgorithm.pointer, nil)
        // It fails only when memory runs out or libcrypto was built without SHA-256; a wrong digest must not get away.
        precondition(succeeded == 1, "libcrypto has no SHA-256")
    }
}
