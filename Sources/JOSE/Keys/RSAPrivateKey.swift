import COpenSSL

/// An RSA private key that signs RS256: parsed and checked once, then shared by all threads.
package struct RSAPrivateKey: Sendable {
    package let publicKey: RSAPublicKey

    let key: EVPKey
    private let contexts: RSASigningContexts

    private init(_ key: EVPKey) throws(JOSEError) {
        publicKey = try RSAPublicKey(publicHalfOf: key)
        try key.requireConsistentRSA()
        self.key = key
        contexts = RSASigningContexts(key)
    }

    /// Creates a key from an unencrypted PEM block: PKCS#8 (`PRIVATE KEY`) or PKCS#1 (`RSA PRIVATE KEY`), with LF or
    /// CRLF.
    ///
    /// - Throws: ``JOSEError`` that describes the problem: encrypted, not RSA, too short, damaged, or not a private
    ///   key.
    package init(pem: [UInt8]) throws(JOSEError) {
        try self.init(try PEM(pem).privateKey())
    }

    /// Makes a new key.
    ///
    /// - Parameter bits: 2,048 to 8,192; Google's own have 2,048.
    /// - Returns: The key.
    /// - Throws: ``JOSEError`` if the number of bits is out of range, or libcrypto fails.
    package static func generate(bits: Int = 2048) throws(JOSEError) -> RSAPrivateKey {
        guard (RSAPublicKey.minimumBits...RSAPublicKey.maximumBits).contains(bits) else {
            throw JOSEError(.invalidKey, "An RSA key must have 2048 to 8192 bits.")
        }
        Libcrypto.prepare()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { throw .crypto("create an RSA key") }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            EVP_PKEY_generate(context, &key) == 1,
            let key
        else { throw .crypto("create an RSA key") }
        return try RSAPrivateKey(EVPKey(owning: key))
    }

    /// The size of its signatures in bytes.
    package var signatureSize: Int { publicKey.modulus.count }

    /// Returns the signature over a message, with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7518 section 3.3).
    ///
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptoFailure``, which a key that was read doesn't lead to.
    package func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
        try contexts.signature(for: message, size: signatureSize)
    }

    /// Returns the key as an unencrypted PKCS#8 PEM block: a secret, to be written to a file that only its owner can
    /// read.
    ///
    /// - Throws: ``JOSEError`` when libcrypto fails.
    package func pem() throws(JOSEError) -> [UInt8] {
        guard let bio = BIO_new(BIO_s_secmem()) else { throw .crypto("write a key") }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PKCS8PrivateKey(bio, key.pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .crypto("write a key")
        }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        guard BIO_read(bio, &bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw .crypto("write a key") }
        return bytes
    }
}

extension RSAPrivateKey: CustomStringConvertible, CustomReflectable {
    /// The size and public name; nothing of the private half.
    package var description: String { "RSA private key (\(publicKey.bits) bits, thumbprint \(publicKey.thumbprint))" }
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
