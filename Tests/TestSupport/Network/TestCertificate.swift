import COpenSSL
package import Foundation
package import NIOSSL

/// A certificate made for one test, signed by its own key.
package struct TestCertificate {
    struct Failure: Error {}

    package let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey
    /// Both as files have them.
    package let certificatePEM: String
    package let keyPEM: String

    /// Creates a certificate of an authority for a name, valid for an hour around a time.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - time: The time.
    /// - Throws: ``Failure`` if libcrypto makes none.
    package init(for name: String, at time: Date = Date()) throws {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil), let signed = X509_new() else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        defer { X509_free(signed) }
        var pair: OpaquePointer?
        defer { EVP_PKEY_free(pair) }
        let (subject, bytes) = (X509_get_subject_name(signed), Array(name.utf8))
        let second = time_t(time.timeIntervalSince1970)
        let ascii: Int32 = 0x1001  // MBSTRING_ASC
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &pair) == 1,
            X509_set_version(signed, 2) == 1,
            ASN1_INTEGER_set(X509_get_serialNumber(signed), Int.random(in: 1 ... .max)) == 1,
            ASN1_TIME_set(X509_getm_notBefore(signed), second - 1800) != nil,
            ASN1_TIME_set(X509_getm_notAfter(signed), second + 1800) != nil,
            X509_NAME_add_entry_by_txt(subject, "CN", ascii, bytes, Int32(bytes.count), -1, 0) == 1,
            X509_set_issuer_name(signed, subject) == 1,
            X509_set_pubkey(signed, pair) == 1
        else { throw Failure() }
        try Self.add(NID_basic_constraints, isCritical: true, [0x30, 0x03, 0x01, 0x01, 0xFF], to: signed)
        let alternative = [0x82, UInt8(bytes.count)] + bytes
        try Self.add(
            NID_subject_alt_name,
            isCritical: false,
            [0x30, UInt8(alternative.count)] + alternative,
            to: signed
        )
        guard X509_sign(signed, pair, EVP_sha256()) > 0 else { throw Failure() }
        certificatePEM = try Self.pem { PEM_write_bio_X509($0, signed) }
        keyPEM = try Self.pem { PEM_write_bio_PKCS8PrivateKey($0, pair, nil, nil, 0, nil, nil) }
        certificate = try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
        key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
    }

    /// A server that shows it.
    package func server(
        maximumVersion: TLSVersion? = nil,
        cipherSuites: [NIOTLSCipher]? = nil
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)],
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximumVersion
        if let cipherSuites { configuration.cipherSuiteValues = cipherSuites }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func add(
        _ type: Int32,
        isCritical: Bool,
        _ der: [UInt8],
        to certificate: OpaquePointer
    ) throws {
        guard let value = ASN1_OCTET_STRING_new() else { throw Failure() }
        defer { ASN1_OCTET_STRING_free(value) }
        guard ASN1_OCTET_STRING_set(value, der, Int32(der.count)) == 1,
            let field = X509_EXTENSION_create_by_NID(nil, type, isCritical ? 1 : 0, value)
        else { throw Failure() }
        defer { X509_EXTENSION_free(field) }
        guard X509_add_ext(certificate, field, -1) == 1 else { throw Failure() }
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) throws -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw Failure() }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        guard BIO_read(bio, &bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw Failure() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
