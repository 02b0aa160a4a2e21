import COpenSSL

/// The numbers of an RSA private key in the form that ``RSABatch`` takes them.
///
/// They are taken from the parsed key once. Unchecked, because the compiler cannot see that the memory is written while
/// this object is created and by nothing afterwards; threads only read it. It is wiped with the last reference.
package final class RSABatchKey: @unchecked Sendable {
    package static let sizes = [2048, 3072, 4096]

    /// The number of bits of the modulus.
    package let bits: Int
    private let memory: SecretMemory

    /// Creates the numbers of a key.
    ///
    /// - Returns: nil for a key that lanes do not support: of another size, with another public exponent than 65,537,
    ///   or with primes that are not half as long each.
    package init?(_ key: RSAPrivateKey) {
        let publicKey = key.publicKey
        guard Self.sizes.contains(publicKey.bits), publicKey.exponent == [1, 0, 1],
            let memory = SecretMemory(size: publicKey.bits / 8 + Self.factors.count * publicKey.bits / 16)
        else { return nil }
        bits = publicKey.bits
        self.memory = memory
        guard copy(OSSL_PKEY_PARAM_RSA_N, of: key.key, to: modulus, size: bits / 8, isWhole: true) else { return nil }
        for (index, name) in Self.factors.enumerated() {
            // Primes of unequal length would not fit, or leave a lane with another size of numbers.
            let isPrime = index < 2
            guard copy(name, of: key.key, to: factor(index), size: bits / 16, isWhole: isPrime) else { return nil }
        }
    }

    /// p, q, d mod (p - 1), d mod (q - 1) and the inverse of q mod p, as EVP_PKEY-RSA(7) names them.
    private static let factors = [
        "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
    ]

    /// The modulus, little-endian.
    var modulus: UnsafeMutableRawPointer { memory.start }

    /// Returns one of the five numbers of the private key, little-endian.
    func factor(_ index: Int) -> UnsafeMutableRawPointer {
        memory.start + bits / 8 + index * bits / 16
    }

    /// Copies a number of the key, with zeros up to the size.
    private func copy(
        _ name: String,
        of key: EVPKey,
        to place: UnsafeMutableRawPointer,
        size: Int,
        isWhole: Bool
    ) -> Bool {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key.pointer, name, &number) == 1, let number else {
            ERR_clear_error()
            return false
        }
        defer { BN_clear_free(number) }
        BN_set_flags(number, BN_FLG_CONSTTIME)
        guard !isWhole || Int(BN_num_bits(number)) == size * 8 else { return false }
        return BN_bn2lebinpad(number, place, Int32(size)) == Int32(size)
    }
}
