import COpenSSL

/// A key of any type that libcrypto makes, and the files that it writes of it.
///
/// Unchecked, since the pointer is opaque to the compiler: the key is complete when this object is made, and nothing
/// changes it.
final class LibcryptoKey: @unchecked Sendable {
    struct Failure: Error {}

    let pointer: OpaquePointer

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - type: libcrypto's name: `RSA`, `RSA-PSS`, `EC`, `ED25519`.
    ///   - bits: Of an RSA modulus.
    ///   - exponent: An RSA key's public one.
    /// - Throws: ``Failure`` when libcrypto makes none.
    init(_ type: String, bits: Int32 = 2048, exponent: UInt = 65_537) throws {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure() }
        if type.hasPrefix("RSA") {
            let number = BN_new()
            defer { BN_free(number) }
            guard EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1, BN_set_word(number, exponent) == 1,
                EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, number) == 1
            else { throw Failure() }
        }
        if type == "EC" { EVP_PKEY_CTX_set_group_name(context, "P-256") }
        var key: OpaquePointer?
        guard EVP_PKEY_generate(context, &key) == 1, let key else { throw Failure() }
        pointer = key
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Returns an RSA signature with SHA-256.
    func signature(over message: [UInt8], isPSS: Bool) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure() }
        defer { EVP_MD_CTX_free(context) }
        var settings: OpaquePointer?
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, &settings, EVP_sha256(), nil, pointer) == 1,
            !isPSS || EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1,
            !isPSS || EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw Failure() }
        return signature
    }

    /// `PRIVATE KEY`, or `ENCRYPTED PRIVATE KEY` with a passphrase.
    func pkcs8(passphrase: String? = nil) throws -> [UInt8] {
        try write { bio in
            guard let passphrase else { return PEM_write_bio_PKCS8PrivateKey(bio, pointer, nil, nil, 0, nil, nil) }
            var bytes = passphrase.utf8.map { CChar(bitPattern: $0) }
            let count = Int32(bytes.count)
            return PEM_write_bio_PKCS8PrivateKey(bio, pointer, EVP_aes_256_cbc(), &bytes, count, nil, nil)
        }
    }

    /// `RSA PRIVATE KEY` or `EC PRIVATE KEY`; with a passphrase, the header `Proc-Type: 4,ENCRYPTED` inside.
    func traditional(passphrase: String? = nil) throws -> [UInt8] {
        try write { bio in
            guard let passphrase else {
                return PEM_write_bio_PrivateKey_traditional(bio, pointer, nil, nil, 0, nil, nil)
            }
            let bytes = Array(passphrase.utf8)
            let count = Int32(bytes.count)
            return PEM_write_bio_PrivateKey_traditional(bio, pointer, EVP_aes_128_cbc(), bytes, count, nil, nil)
        }
    }

    /// `PUBLIC KEY`.
    func publicKey() throws -> [UInt8] {
        try write { PEM_write_bio_PUBKEY($0, pointer) }
    }

    /// `CERTIFICATE`, signed by the key itself.
    func certificate() throws -> [UInt8] {
        guard let certificate = X509_new() else { throw Failure() }
        defer { X509_free(certificate) }
        let digest = EVP_PKEY_is_a(pointer, "ED25519") == 1 ? nil : EVP_sha256()
        guard ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), 3600) != nil,
            X509_set_pubkey(certificate, pointer) == 1,
            X509_sign(certificate, pointer, digest) > 0
        else { throw Failure() }
        return try write { PEM_write_bio_X509($0, certificate) }
    }

    private func write(_ body: (OpaquePointer) -> Int32) throws -> [UInt8] {
        guard let bio = BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { BIO_free(bio) }
        guard body(bio) == 1 else { throw Failure() }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        guard BIO_read(bio, &bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw Failure() }
        return bytes
    }
}
