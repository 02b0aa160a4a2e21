import COpenSSL

/// Owns one reference to libcrypto's `EVP_PKEY`.
///
/// Unchecked, since the pointer is opaque to the compiler: the key is complete when this object is made and nothing here
/// changes it. libcrypto allows a key to be used for signing and verifying by several threads at once
/// (openssl-threads(7)); what it caches inside, blinding and Montgomery contexts, it locks itself.
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// The number of bits of the modulus.
    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// One of the key's numbers, big-endian without leading zeros.
    func number(_ name: String) throws(JOSEError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw .crypto("read a number of a key")
        }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    /// Checks that it is an RSA key of a size that is safe, and not so large that using it is an attack.
    func requireRSA() throws(JOSEError) {
        guard EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA else {
            throw JOSEError(.invalidKey, "The key is not an RSA key; Fleet Engine takes RS256 only. Create an RSA key.")
        }
        guard bits >= RSAPublicKey.minimumBits else {
            throw JOSEError(.invalidKey, "The RSA key has \(bits) bits; RS256 needs 2048 or more. Create a new key.")
        }
        guard bits <= RSAPublicKey.maximumBits else {
            throw JOSEError(.invalidKey, "The RSA key has \(bits) bits; at most 8192 are taken. Create a new key.")
        }
    }
}

extension JOSEError {
    /// A failure of libcrypto, whose error queue it empties so that no later call trips over it.
    static func crypto(_ action: String) -> Self {
        ERR_clear_error()
        return Self(.cryptoFailure, "libcrypto could not \(action).")
    }
}
