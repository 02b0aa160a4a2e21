import COpenSSL

/// One block of PEM text (RFC 7468), extracted from its surroundings.
///
/// libcrypto skips a block that it cannot read and uses the next one, so it gets only this block.
struct PEM {
    /// No key or certificate that is taken is near this size.
    static let maximumSize = 64 * 1024

    private static let privateLabels = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
    private static let publicLabels = ["PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"]

    private let label: String
    private let block: [UInt8]

    /// Creates the block by finding it in a text; white space in it means nothing (RFC 7468 section 2).
    ///
    /// - Throws: ``JOSEError`` when there is none, or more than one.
    init(_ text: [UInt8]) throws(JOSEError) {
        guard text.count <= Self.maximumSize else {
            throw JOSEError(.invalidKey, "The file is larger than 64 KiB, so it is not a key.")
        }
        guard let begin = text.firstRange(of: "-----BEGIN ".utf8) else {
            throw JOSEError(.invalidKey, "This is not PEM: it has no -----BEGIN line.")
        }
        guard let dashes = text[begin.upperBound...].firstRange(of: "-----".utf8) else {
            throw JOSEError(.invalidKey, "The key is damaged: its -----BEGIN line is cut off.")
        }
        let label = text[begin.upperBound..<dashes.lowerBound]
        guard let end = text[dashes.upperBound...].firstRange(of: "-----END ".utf8 + label + "-----".utf8) else {
            throw JOSEError(.invalidKey, "The key is damaged: its -----END line is missing.")
        }
        guard text[begin.upperBound...].firstRange(of: "-----BEGIN ".utf8) == nil else {
            throw JOSEError(.invalidKey, "The file has several PEM blocks; keep only the key's.")
        }
        self.label = String(decoding: label, as: UTF8.self)
        block = try Self.rewrapped(text[begin.lowerBound..<end.upperBound], between: dashes.upperBound..<end.lowerBound)
    }

    /// Returns a block with its base64 in lines of 64 characters, as libcrypto reads it.
    private static func rewrapped(
        _ block: ArraySlice<UInt8>,
        between body: Range<Int>
    ) throws(JOSEError) -> [UInt8] {
        let body = block[body]
        guard body.firstRange(of: #"\n"#.utf8) == nil, body.firstRange(of: #"\r"#.utf8) == nil else {
            throw JOSEError(
                .invalidKey,
                #"The key has \n as two characters where lines should end: it was escaped twice. Replace each by a line feed, or copy it again."#
            )
        }
        // The headers of an encrypted block end with an empty line.
        guard !body.contains(UInt8(ascii: ":")) else { return Array(block) }
        let base64 = body.filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
        var lines = block[..<body.startIndex] + [0x0A]
        for start in stride(from: 0, to: base64.count, by: 64) { lines += base64[start...].prefix(64) + [0x0A] }
        return Array(lines + block[body.endIndex...])
    }

    /// Reads a private key: PKCS#8 or PKCS#1, or one of another type, which the caller refuses by its name.
    func privateKey() throws(JOSEError) -> EVPKey {
        if Self.privateLabels.contains(label) {
            return try read { PEM_read_bio_PrivateKey($0, nil, noPassphrase, $1) }
        }
        if Self.publicLabels.contains(label) {
            throw JOSEError(.invalidKey, "This is a public key or certificate; signing needs the private key.")
        }
        throw JOSEError(.invalidKey, "The PEM block is not a private key in PKCS#8 or PKCS#1.")
    }

    /// Reads a public key: SubjectPublicKeyInfo, PKCS#1, a certificate, or a private key with its public half.
    func publicKey() throws(JOSEError) -> EVPKey {
        if Self.privateLabels.contains(label) { return try privateKey() }
        guard Self.publicLabels.contains(label) else {
            throw JOSEError(.invalidKey, "The PEM block is not a public key, certificate or private key.")
        }
        guard label == "CERTIFICATE" else { return try read { PEM_read_bio_PUBKEY($0, nil, noPassphrase, $1) } }
        return try read { bio, context in
            guard let certificate = PEM_read_bio_X509(bio, nil, noPassphrase, context) else { return nil }
            defer { X509_free(certificate) }
            return X509_get_pubkey(certificate)
        }
    }

    private func read(
        _ parse: (_ bio: OpaquePointer, _ context: UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(JOSEError) -> EVPKey {
        Libcrypto.prepare()
        var isEncrypted = false
        // The buffer is used only while the closure runs: a pointer that outlives it reads freed memory.
        let key = block.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
            defer { BIO_free(bio) }
            return withUnsafeMutablePointer(to: &isEncrypted) { parse(bio, $0) }
        }
        ERR_clear_error()
        if let key { return EVPKey(owning: key) }
        if isEncrypted {
            throw JOSEError(
                .encryptedKey,
                "The key is encrypted. Decrypt it first: openssl pkey -in KEY -out DECRYPTED"
            )
        }
        throw JOSEError(.invalidKey, "The key is damaged: its PEM block cannot be decoded. Download or copy it again.")
    }
}

// Answers libcrypto's request for a passphrase, for which its default callback would prompt on the terminal. It
// provides none, and records in the `Bool` that it was called.
private func noPassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?,
    size: Int32,
    isWriting: Int32,
    isEncrypted: UnsafeMutableRawPointer?
) -> Int32 {
    isEncrypted?.storeBytes(of: true, as: Bool.self)
    return -1
}
