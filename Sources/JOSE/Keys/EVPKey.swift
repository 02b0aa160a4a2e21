import COpenSSL

/// Owns one reference to libcrypto's `EVP_PKEY`.
///
/// Unchecked, because the pointer is opaque to the compiler: the key is complete when this object is created, and
/// nothing here changes it. An unchanged object may be used by several threads at once, and libcrypto locks its
/// internal caches, blinding and Montgomery contexts, itself (openssl-threads(7)).
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Returns one of the key's numbers, big-endian without leading zeros.
    func number(_ name: String) throws(JOSEError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw .crypto("read a number of a key")
        }
        defer { BN_clear_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }
}

extension JOSEError {
    /// Returns a libcrypto failure, and clears its error queue, so that later calls are not affected.
    static func crypto(_ action: String) -> Self {
        ERR_clear_error()
        return Self(.cryptoFailure, "libcrypto could not \(action).")
    }
}
