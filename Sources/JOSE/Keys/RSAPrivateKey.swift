import COpenSSL
import Synchronization

/// An RSA private key that signs RS256: parsed and checked once, then shared by all threads.
package final class RSAPrivateKey: Sendable {
    /// Unchecked, because the pointer is opaque to the compiler: a context is either idle, and in the list, or belongs
    /// to the one call that took it from there.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    package let publicKey: RSAPublicKey
    private let key: EVPKey
    /// The contexts in which no thread signs now.
    ///
    /// A new context looks up its algorithms by name, in 25,000 instructions and with locks that all threads share. So each
    /// is used again, by one thread at a time. There are as many as threads that have signed at once.
    private let idle = Mutex<[Context]>([])

    private init(_ key: EVPKey) throws(JOSEError) {
        publicKey = try RSAPublicKey(publicHalfOf: key)
        try key.requireConsistentRSA()
        self.key = key
    }

    deinit {
        for context in idle.withLock({ $0 }) { EVP_PKEY_CTX_free(context.pointer) }
    }

    /// Creates a key from an unencrypted PEM block: PKCS#8 (`PRIVATE KEY`) or PKCS#1 (`RSA PRIVATE KEY`), with LF or
    /// CRLF.
    ///
    /// - Throws: ``JOSEError`` that describes the problem: encrypted, not RSA, too short, damaged, or not a private
    ///   key.
    package convenience init(pem: [UInt8]) throws(JOSEError) {
        try self.init(try PEM(pem).privateKey())
    }

    /// Makes a new key of 2,048 to 8,192 bits; Google's own have 2,048.
    ///
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

    /// Returns the signature over a message, with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7518 section 3.3).
    ///
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptoFailure``, which a key that was read doesn't lead to.
    package func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
        let context: Context
        if let known = idle.withLock({ $0.popLast() }) { context = known } else { context = try newContext() }
        let size = publicKey.modulus.count
        var signature = [UInt8](repeating: 0, count: size)
        var length = size
        let isSigned = SHA256Digest(of: message).withUnsafeBytes { digest in
            EVP_PKEY_sign(context.pointer, &signature, &length, digest.baseAddress, digest.count) == 1
        }
        guard isSigned, length == size else {
            // Its state is not known after a failure.
            EVP_PKEY_CTX_free(context.pointer)
            throw .crypto("sign")
        }
        idle.withLock { $0.append(context) }
        return signature
    }

    private func newContext() throws(JOSEError) -> Context {
        guard let pointer = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { throw .crypto("sign") }
        guard EVP_PKEY_sign_init(pointer) == 1, EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(pointer, EVP_sha256()) == 1
        else {
            EVP_PKEY_CTX_free(pointer)
            throw .crypto("sign")
        }
        return Context(pointer: pointer)
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
