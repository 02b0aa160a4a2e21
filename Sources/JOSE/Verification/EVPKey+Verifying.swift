import COpenSSL

extension EVPKey {
    /// Returns whether a signature over a message is valid for this key.
    ///
    /// - Parameters:
    ///   - signature: The signature, in the form and of the length that libcrypto takes.
    ///   - message: The message.
    ///   - algorithm: An algorithm of the key's type.
    /// - Returns: Whether it is valid.
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
