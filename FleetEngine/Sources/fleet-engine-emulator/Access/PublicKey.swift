import JWTKit

/// A public key of a service account, which verifies RS256 signatures and no others, by jwt-kit.
struct PublicKey: Sendable {
    let id: String
    private let algorithm: any JWTAlgorithm

    /// Creates the public half of a key file's key.
    init(id: String, privateKeyPEM: String) async throws {
        guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EmulatorError("The key's ID is not 1 to 128 visible ASCII characters.")
        }
        guard let key = try? Insecure.RSA.PrivateKey(pem: privateKeyPEM).publicKey else {
            throw EmulatorError("private_key is not an RSA key of 2048 bits or more in PEM.")
        }
        self.id = id
        // The algorithm is the key's, whatever a token says.
        algorithm = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
    }

    /// Returns whether the key made a signature.
    func verifies(_ signature: [UInt8], of text: some Sequence<UInt8>) -> Bool {
        (try? algorithm.verify(signature, signs: Array(text))) ?? false
    }
}
