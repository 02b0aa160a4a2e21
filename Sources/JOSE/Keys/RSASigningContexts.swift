import COpenSSL
import Synchronization

/// The contexts in which a private key signs.
///
/// A new context looks up its algorithms by name, in 25,000 instructions and with locks that all threads share. So each
/// is used again, by one thread at a time. There are as many as threads that have signed at once.
final class RSASigningContexts: Sendable {
    /// Unchecked, because the pointer is opaque to the compiler: a context is either idle, and in the list, or belongs
    /// to the one call that took it from there.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let key: EVPKey
    private let idle = Mutex<[Context]>([])

    init(_ key: EVPKey) {
        self.key = key
    }

    deinit {
        for context in idle.withLock({ $0 }) { EVP_PKEY_CTX_free(context.pointer) }
    }

    /// Returns the signature over a message, with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017 section 8.2).
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - size: The size of the key's modulus in bytes.
    /// - Returns: The signature, of this size.
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptoFailure``.
    func signature(for message: [UInt8], size: Int) throws(JOSEError) -> [UInt8] {
        let context: Context
        if let known = idle.withLock({ $0.popLast() }) { context = known } else { context = try newContext() }
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
}
