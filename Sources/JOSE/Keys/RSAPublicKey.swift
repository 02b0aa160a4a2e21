import COpenSSL

/// An RSA public key of 2,048 to 8,192 bits that verifies RS256 signatures and nothing else.
package struct RSAPublicKey: Sendable {
    /// The least number of bits (RFC 7518 section 3.3).
    package static let minimumBits = 2048
    /// The most: verifying with a larger key is slow enough to be an attack.
    package static let maximumBits = 8192

    /// The modulus `n`, big-endian without leading zeros.
    package let modulus: [UInt8]
    /// The public exponent `e`, odd and from 3 to 64 bits, big-endian without leading zeros.
    package let exponent: [UInt8]
    /// The number of bits of the modulus.
    package let bits: Int

    let key: EVPKey

    init(publicHalfOf key: EVPKey) throws(JOSEError) {
        try key.requireRSA()
        try self.init(
            modulus: try key.number(OSSL_PKEY_PARAM_RSA_N),
            exponent: try key.number(OSSL_PKEY_PARAM_RSA_E)
        )
    }

    /// Creates a key from a PEM block: `PUBLIC KEY`, `RSA PUBLIC KEY`, `CERTIFICATE`, or a private key, of which only
    /// the public key is kept.
    ///
    /// - Throws: ``JOSEError`` that describes what the block is instead.
    package init(pem: [UInt8]) throws(JOSEError) {
        try self.init(publicHalfOf: try PEM(pem).publicKey())
    }

    /// Creates a key from its two numbers, big-endian (RFC 7518 section 6.3.1).
    ///
    /// - Throws: ``JOSEError`` if they are not an allowed RSA key.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(JOSEError) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        // All checks come before libcrypto, so that hostile numbers cost nothing.
        guard bits >= Self.minimumBits else {
            throw JOSEError(.invalidKey, "The RSA key has \(bits) bits; RS256 requires 2048 or more. Create a new key.")
        }
        guard bits <= Self.maximumBits else {
            throw JOSEError(.invalidKey, "The RSA key has \(bits) bits; at most 8192 are supported. Create a new key.")
        }
        guard modulus.isOdd, exponent.isOdd, exponent != [1], exponent.count <= 8 else {
            throw JOSEError(.invalidKey, "The RSA key's modulus or public exponent is not allowed.")
        }
        guard let key = EVPKey.rsa(modulus: modulus, exponent: exponent) else {
            throw .crypto("create an RSA key from its numbers")
        }
        self.key = key
        self.modulus = modulus
        self.exponent = exponent
    }

    /// Returns whether a signature over a message is valid for this key, with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7518
    /// section 3.3).
    package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        PublicKey.rsa(self).isValidSignature(signature, of: message, by: .rs256)
    }

    /// The key's name by its content: base64url of the SHA-256 of its canonical JWK (RFC 7638).
    package var thumbprint: String { PublicKey.rsa(self).thumbprint }
}

extension RSAPublicKey: Equatable {
    /// Equality of the two numbers.
    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.modulus == rhs.modulus && lhs.exponent == rhs.exponent
    }
}

extension [UInt8] {
    fileprivate var isOdd: Bool { last.map { $0 & 1 == 1 } ?? false }
}
