import COpenSSL

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
