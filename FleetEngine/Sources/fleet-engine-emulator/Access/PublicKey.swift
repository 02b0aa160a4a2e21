import FleetToken
import JWTKit

/// A public key of a service account, which verifies RS256 signatures and no others, by jwt-kit.
struct PublicKey: Sendable {
    let id: String
    private let algorithm: any JWTAlgorithm

    private init(id: String, key: Insecure.RSA.PublicKey) async throws {
        guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EmulatorError("The key's ID is not 1 to 128 visible ASCII characters.")
        }
        self.id = id
        // The algorithm is the key's, whatever a token says.
        algorithm = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
    }

    /// Creates the public half of a key file's key.
    init(id: String, privateKeyPEM: String) async throws {
        let key: Insecure.RSA.PublicKey
        do {
            key = try Insecure.RSA.PrivateKey(pem: privateKeyPEM).publicKey
        } catch {
            throw EmulatorError("private_key is not an RSA key of 2048 bits or more in PEM.")
        }
        try await self.init(id: id, key: key)
    }

    /// Returns whether the key made a signature.
    func verifies(_ signature: [UInt8], of text: some Sequence<UInt8>) -> Bool {
        (try? algorithm.verify(signature, signs: Array(text))) ?? false
    }

    /// Returns the keys of a JSON Web Key Set that are for RS256; others are skipped.
    static func keys(of set: JSONObject) async throws -> [PublicKey] {
        guard let elements = set["keys"]?.arrayValue else { throw EmulatorError("There is no array named keys.") }
        var keys: [PublicKey] = []
        for element in elements {
            guard let element = element.objectValue else { throw EmulatorError("One of the keys is not an object.") }
            guard element["kty"] == .string("RSA"), element["use"].map({ $0 == .string("sig") }) ?? true,
                element["alg"].map({ $0 == .string("RS256") }) ?? true
            else { continue }
            guard let id = element["kid"]?.stringValue, let modulus = element["n"]?.stringValue,
                let exponent = element["e"]?.stringValue
            else { throw EmulatorError("One of the keys has no kid, n or e.") }
            guard keys.allSatisfy({ !$0.id.hasSameBytes(as: id) }) else {
                throw EmulatorError("Two keys have the same kid.")
            }
            guard (try? Base64URL.decode(modulus.utf8)) != nil, (try? Base64URL.decode(exponent.utf8)) != nil,
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { throw EmulatorError("The key \(id) is not an RSA key of 2048 bits or more.") }
            keys.append(try await PublicKey(id: id, key: key))
        }
        return keys
    }
}
