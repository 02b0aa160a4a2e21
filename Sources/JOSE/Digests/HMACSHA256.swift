import COpenSSL

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
