import COpenSSL

/// SHA-256 (FIPS 180-4), by libcrypto.
public enum SHA256 {
    /// The 32 bytes of the digest.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        Libcrypto.prepare()
        var digest = [UInt8](repeating: 0, count: 32)
        let succeeded = EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        // It fails only when memory runs out or libcrypto was built without SHA-256; a wrong digest must not get away.
        precondition(succeeded == 1, "libcrypto has no SHA-256")
        return digest
    }
}
