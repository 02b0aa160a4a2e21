import COpenSSL

/// Reading PEM text (RFC 7468) into libcrypto's keys.
enum PEM {
    /// No key or certificate that is taken is near this size.
    static let maximumSize = 64 * 1024

    /// Reads a private key: PKCS#8 or PKCS#1, with LF or CRLF.
    static func privateKey(_ text: [UInt8]) throws(JOSEError) -> EVPKey {
        switch try label(of: text) {
        case "PRIVATE KEY", "RSA PRIVATE KEY": break
        case "ENCRYPTED PRIVATE KEY":
            throw JOSEError(
                .encryptedKey,
                "The key is encrypted. Decrypt it first: openssl pkey -in KEY -out DECRYPTED"
            )
        case "EC PRIVATE KEY":
            throw JOSEError(.invalidKey, "The key is an EC key; Fleet Engine takes RS256 only. Create an RSA key.")
        case "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE":
            throw JOSEError(.invalidKey, "This is a public key or certificate; signing needs the private key.")
        default: throw JOSEError(.invalidKey, "The PEM block is not a private key (PKCS#8 or PKCS#1).")
        }
        if text.contains("Proc-Type: 4,ENCRYPTED") {
            throw JOSEError(
                .encryptedKey,
                "The key is encrypted. Decrypt it first: openssl pkey -in KEY -out DECRYPTED"
            )
        }
        // The callback answers for a passphrase; libcrypto's own would stop and ask on the terminal.
        return try read(text) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    /// Reads a public key: SubjectPublicKeyInfo, a certificate, or a private key's public half.
    static func publicKey(_ text: [UInt8]) throws(JOSEError) -> EVPKey {
        switch try label(of: text) {
        case "PUBLIC KEY":
            return try read(text) { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }
        case "CERTIFICATE":
            return try read(text) { bio in
                guard let certificate = PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) else { return nil }
                defer { X509_free(certificate) }
                return X509_get_pubkey(certificate)
            }
        default: return try privateKey(text)
        }
    }

    private static func read(
        _ text: [UInt8],
        with parse: (OpaquePointer) -> OpaquePointer?
    ) throws(JOSEError) -> EVPKey {
        // The buffer is used only while the closure runs: a pointer that outlives it reads freed memory.
        let key = text.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
            defer { BIO_free(bio) }
            return parse(bio)
        }
        guard let key else {
            ERR_clear_error()
            throw JOSEError(
                .invalidKey,
                "The key is damaged: its PEM block cannot be decoded. Download or copy it again."
            )
        }
        return EVPKey(owning: key)
    }

    /// The label of the first block.
    private static func label(of text: [UInt8]) throws(JOSEError) -> String {
        guard text.count <= maximumSize else {
            throw JOSEError(.invalidKey, "This is larger than any key: more than 64 KiB.")
        }
        guard let begin = text.firstRange(of: "-----BEGIN ") else {
            throw JOSEError(.invalidKey, "This is not PEM: it has no -----BEGIN line.")
        }
        let rest = text[begin.upperBound...]
        guard let end = rest.firstRange(of: "-----") else {
            throw JOSEError(.invalidKey, "The key is damaged: its -----BEGIN line is cut off.")
        }
        return String(decoding: rest[..<end.lowerBound], as: UTF8.self)
    }
}

extension Collection<UInt8> {
    fileprivate func contains(_ text: String) -> Bool {
        firstRange(of: text) != nil
    }

    fileprivate func firstRange(of text: String) -> Range<Index>? {
        firstRange(of: Array(text.utf8))
    }
}
