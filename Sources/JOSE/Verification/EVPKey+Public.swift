import COpenSSL

extension EVPKey {
    /// Creates a public key of a type.
    ///
    /// - Parameters:
    ///   - type: libcrypto's name of the type.
    ///   - push: Gives the builder the numbers, which must stay where they are until this returns.
    private convenience init?(_ type: String, _ push: (_ builder: OpaquePointer) -> Bool) {
        Libcrypto.prepare()
        defer { ERR_clear_error() }
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer { OSSL_PARAM_BLD_free(builder) }
        guard push(builder), let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, fleet_token_public_key_selection(), parameters) == 1,
            let key
        else { return nil }
        self.init(owning: key)
    }

    /// Returns the RSA key with a modulus and an exponent, big-endian.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) -> EVPKey? {
        Libcrypto.prepare()
        guard let n = BN_bin2bn(modulus, Int32(modulus.count), nil) else { return nil }
        defer { BN_free(n) }
        guard let e = BN_bin2bn(exponent, Int32(exponent.count), nil) else { return nil }
        defer { BN_free(e) }
        return EVPKey("RSA") { builder in
            OSSL_PARAM_BLD_push_BN(builder, fleet_token_rsa_modulus_name(), n) == 1
                && OSSL_PARAM_BLD_push_BN(builder, fleet_token_rsa_exponent_name(), e) == 1
        }
    }

    /// Returns the key with a point on a curve; nil if it is none, or one of another group (NIST SP 800-56A section
    /// 5.6.2.3.3).
    static func point(x: [UInt8], y: [UInt8], on curve: EllipticCurve) -> EVPKey? {
        guard x.count == curve.size, y.count == curve.size else { return nil }
        // Uncompressed (SEC 1 section 2.3.3).
        let point = [4] + x + y
        let key = point.withUnsafeBufferPointer { point in
            curve.rawValue.withCString { name in
                EVPKey("EC") { builder in
                    OSSL_PARAM_BLD_push_utf8_string(builder, fleet_token_group_name(), name, 0) == 1
                        && OSSL_PARAM_BLD_push_octet_string(
                            builder,
                            fleet_token_public_key_name(),
                            point.baseAddress,
                            point.count
                        ) == 1
                }
            }
        }
        guard let key, key.isValidPublicKey else { return nil }
        return key
    }

    /// Returns the Ed25519 key with 32 bytes, which ``Ed25519Point`` has checked.
    static func ed25519(_ bytes: [UInt8]) -> EVPKey? {
        Libcrypto.prepare()
        defer { ERR_clear_error() }
        return EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count).map { EVPKey(owning: $0) }
    }

    private var isValidPublicKey: Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        let isValid = EVP_PKEY_public_check(context) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }
}

extension EVPKey {
    /// Returns whether a signature over a message is valid for this key.
    ///
    /// The signature has the form and length that libcrypto takes, and the algorithm is one of the key's type.
    func isValidSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        // Belongs to the context.
        var settings: OpaquePointer?
        let isValid =
            EVP_DigestVerifyInit_ex(context, &settings, algorithm.digestName, nil, nil, pointer, nil) == 1
            && (!algorithm.isPSS || Self.preparePSS(settings))
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }

    /// Selects RSASSA-PSS with MGF1 of the same hash function and a salt as long as the digest, neither longer nor
    /// shorter (RFC 7518 section 3.5).
    private static func preparePSS(_ settings: OpaquePointer?) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}
