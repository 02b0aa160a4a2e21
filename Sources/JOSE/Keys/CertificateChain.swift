import COpenSSL

/// What clients check of a server's certificates beside names, dates and signatures (RFC 5280).
package struct CertificateChain: Sendable {
    /// The size of its RSA key in bits; nil for a key of another type.
    package let rsaBits: Int?
    /// Whether the first certificate is for signing others.
    package let isAuthority: Bool
    /// Whether the first certificate was signed with its own key.
    package let isSelfSigned: Bool
    /// Whether it has a DNS name or an address as subject alternative name: clients read no other.
    package let hasHost: Bool
    /// Whether the uses of its key include those of a server.
    package let isForServers: Bool
    /// Whether a certificate is not followed by its issuer's, as far as the file tells.
    package let lacksIssuer: Bool

    /// Reads a PEM file; nil if it has no certificate.
    package init?(pem: [UInt8]) {
        let certificates = Self.certificates(pem)
        defer { certificates.forEach { X509_free($0) } }
        guard let leaf = certificates.first, let key = X509_get0_pubkey(leaf) else { return nil }
        rsaBits = EVP_PKEY_is_a(key, "RSA") == 1 ? Int(EVP_PKEY_get_bits(key)) : nil
        isAuthority = X509_check_ca(leaf) == 1
        isSelfSigned = Self.issued(leaf, by: leaf)
        hasHost = Self.hasHost(leaf)
        isForServers = X509_check_purpose(leaf, X509_PURPOSE_SSL_SERVER, 0) == 1
        if certificates.count == 1 {
            // Authorities that have no root on every machine say where their intermediate certificate is.
            lacksIssuer = X509_get_ext_by_NID(leaf, NID_info_access, -1) >= 0 && !isSelfSigned
        } else {
            lacksIssuer = !zip(certificates, certificates.dropFirst()).allSatisfy { Self.issued($0, by: $1) }
        }
        ERR_clear_error()
    }

    private static func certificates(_ pem: [UInt8]) -> [OpaquePointer] {
        pem.withUnsafeBytes { buffer in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return [] }
            defer { BIO_free(bio) }
            return Array(sequence(state: bio) { PEM_read_bio_X509($0, nil, nil, nil) })
        }
    }

    private static func issued(_ certificate: OpaquePointer, by issuer: OpaquePointer) -> Bool {
        X509_check_issued(issuer, certificate) == X509_V_OK
    }

    private static func hasHost(_ certificate: OpaquePointer) -> Bool {
        let names = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil).map { OpaquePointer($0) }
        defer { GENERAL_NAMES_free(names) }
        return (0..<max(0, OPENSSL_sk_num(names))).contains { index in
            let name = OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self)
            return name.map { [GEN_DNS, GEN_IPADD].contains($0.pointee.type) } ?? false
        }
    }
}
