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

extension EVPKey {
    /// Checks that it is a plain RSA key, not one for RSA-PSS alone.
    func requireRSA() throws(JOSEError) {
        guard EVP_PKEY_is_a(pointer, "RSA") == 1 else {
            let type = EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown"
            throw JOSEError(.invalidKey, "The key is of type \(type), which does not support RS256. Create an RSA key.")
        }
    }

    /// Checks that the numbers of an RSA private key belong together (RFC 8017 section 3.2).
    ///
    /// With a damaged key libcrypto signs without an error, wrongly or slowly. Its own check also proves that the
    /// primes are prime, which takes seconds for a large key and hours for a malicious one.
    func requireConsistentRSA() throws(JOSEError) {
        guard isConsistentRSA() else {
            ERR_clear_error()
            throw JOSEError(
                .invalidKey,
                "The key is damaged: its numbers are inconsistent. Download or copy it again."
            )
        }
    }

    private func isConsistentRSA() -> Bool {
        // The names are those of EVP_PKEY-RSA(7); Swift does not import the macros of the last five.
        let names = [
            OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D, "rsa-factor1", "rsa-factor2",
            "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
        ]
        let numbers = names.compactMap { name in
            var number: OpaquePointer?
            return EVP_PKEY_get_bn_param(pointer, name, &number) == 1 ? number : nil
        }
        defer { numbers.forEach { BN_clear_free($0) } }
        guard numbers.count == names.count, let context = BN_CTX_secure_new() else { return false }
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        let (n, e, d, p, q) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        let (dP, dQ, qInv) = (numbers[5], numbers[6], numbers[7])
        guard let product = BN_CTX_get(context), let pLess1 = BN_CTX_get(context), let qLess1 = BN_CTX_get(context),
            BN_sub(pLess1, p, BN_value_one()) == 1, BN_sub(qLess1, q, BN_value_one()) == 1
        else { return false }
        func isInverse(_ number: OpaquePointer, _ other: OpaquePointer, modulo modulus: OpaquePointer) -> Bool {
            BN_mod_mul(product, number, other, modulus, context) == 1 && BN_is_one(product) == 1
        }
        return BN_mul(product, p, q, context) == 1 && BN_cmp(product, n) == 0
            && isInverse(e, d, modulo: pLess1) && isInverse(e, d, modulo: qLess1)
            && isInverse(e, dP, modulo: pLess1) && isInverse(e, dQ, modulo: qLess1)
            && isInverse(q, qInv, modulo: p)
    }
}
