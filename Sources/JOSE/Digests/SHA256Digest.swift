import COpenSSL
import FleetToken

/// A SHA-256 digest (FIPS 180-4), stored in place.
package struct SHA256Digest: Hashable, Sendable {
    /// The number of its bytes.
    package static let byteCount = 32

    /// The bytes in their order.
    private var words = SIMD4<UInt64>()

    package init(of message: UnsafeRawBufferPointer) {
        Libcrypto.prepare()
        let succeeded = withUnsafeMutableBytes(of: &words) { digest in
            fleet_token_sha256(message.baseAddress, message.count, digest.baseAddress)
        }
        // It has nothing to fail at; a wrong digest must not get away.
        precondition(succeeded == 1, "libcrypto cannot compute SHA-256")
    }

    package init(of message: [UInt8]) {
        self = message.withUnsafeBytes { Self(of: $0) }
    }

    package init(of message: ArraySlice<UInt8>) {
        self = message.withUnsafeBytes { Self(of: $0) }
    }

    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The digest in lower-case hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.text(bytes) }

    /// Calls a closure with the digest's bytes.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }

    /// Compares all bytes, wherever the first difference is.
    package static func == (one: Self, other: Self) -> Bool {
        let difference = one.words ^ other.words
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}

/// SHA-1 (FIPS 180-4), for protocols that name things by it.
///
/// It protects nothing.
package enum SHA1Digest {
    /// Returns the digest of a message, 20 bytes.
    package static func bytes(of message: [UInt8]) -> [UInt8] {
        Libcrypto.prepare()
        return [UInt8](unsafeUninitializedCapacity: 20) { digest, count in
            let succeeded = EVP_Q_digest(nil, "SHA1", nil, message, message.count, digest.baseAddress, nil)
            precondition(succeeded == 1, "libcrypto has no SHA-1")
            count = 20
        }
    }
}

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
}

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// Returns the authentication code for a message, 32 bytes.
    package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        Libcrypto.prepare()
        return [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) { code, count in
            let result = HMAC(
                EVP_sha256(),
                key,
                Int32(key.count),
                message,
                message.count,
                code.baseAddress,
                nil
            )
            // It fails only when memory runs out or libcrypto was built without SHA-256.
            precondition(result != nil, "libcrypto cannot compute HMAC-SHA-256")
            count = SHA256Digest.byteCount
        }
    }
}
