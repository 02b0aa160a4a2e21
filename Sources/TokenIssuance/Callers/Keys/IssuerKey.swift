import Crypto
import CryptoExtras
import JOSE
import ServiceConfiguration
import StrictCoding

/// A public key of an issuer's (RFC 7517), and the algorithms that it verifies.
///
/// They follow from the key's type, curve and `alg` only; a token cannot influence them.
struct IssuerKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// The algorithms that the key may be used with.
    private(set) var algorithms: [JWTAlgorithm]
    private let material: Material

    /// Creates a key by parsing a JWK.
    ///
    /// - Returns: nil when it is a key of a type, a curve or an algorithm that isn't taken here.
    /// - Throws: ``JOSEError`` if the type is supported but the key is unusable.
    init?(parsing jwk: JSONObject) throws(JOSEError) {
        let type = jwk["kty"]
        let curve = jwk["crv"]
        if type == .string("RSA") {
            algorithms = try Self.algorithms([.rs256, .ps256], jwk)
            guard !algorithms.isEmpty else { return nil }
            material = .rsa(try Self.rsa(jwk))
        } else if type == .string("EC"), curve == .string("P-256") {
            algorithms = try Self.algorithms([.es256], jwk)
            guard !algorithms.isEmpty else { return nil }
            material = .p256(try Self.p256(jwk))
        } else if type == .string("OKP"), curve == .string("Ed25519") {
            algorithms = try Self.algorithms([.edDSA], jwk)
            guard !algorithms.isEmpty else { return nil }
            material = .ed25519(try Self.ed25519(jwk))
        } else {
            return nil
        }
    }

    /// Returns the algorithms of a key type that the key's own `alg` allows.
    private static func algorithms(_ possible: [JWTAlgorithm], _ jwk: JSONObject) throws(JOSEError) -> [JWTAlgorithm] {
        guard let value = jwk["alg"] else { return possible }
        guard let name = value.stringValue else { throw .unusableKey("its alg is not a string") }
        return possible.filter { $0.rawValue.hasSameBytes(as: name) }
    }

    /// Returns the key restricted to some algorithms; nil if none is left.
    func limited(to allowed: [JWTAlgorithm]) -> Self? {
        var key = self
        key.algorithms = algorithms.filter(allowed.contains)
        return key.algorithms.isEmpty ? nil : key
    }

    /// Returns whether a signature over a message is valid for this key.
    func isValidSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: JWTAlgorithm) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        switch (material, algorithm) {
        case (.rsa(let key), .rs256):
            return key.isValidSignature(.init(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .ps256):
            return key.isValidSignature(.init(rawRepresentation: signature), for: message, padding: .PSS)
        case (.p256(let key), .es256):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        case (.ed25519(let key), .edDSA):
            return key.isValidSignature(signature, for: message)
        default: return false
        }
    }
}

// MARK: - The numbers of each type (RFC 7518 section 6, RFC 8037 section 2)

extension IssuerKey {
    private static func rsa(_ jwk: JSONObject) throws(JOSEError) -> _RSA.Signing.PublicKey {
        let modulus = try bytes("n", in: jwk)
        let exponent = try bytes("e", in: jwk)
        // Before any arithmetic, so that a huge number costs nothing.
        guard let first = modulus.first, first != 0, let last = modulus.last, last & 1 == 1 else {
            throw .unusableKey("n is not an odd number without leading zeros")
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard (RSAPublicKey.minimumBits...RSAPublicKey.maximumBits).contains(bits) else {
            throw .unusableKey("it is an RSA key with \(bits) bits, but 2048 to 8192 are supported")
        }
        guard let first = exponent.first, first != 0, let last = exponent.last, last & 1 == 1,
            (3...4).contains(exponent.count)
        else { throw .unusableKey("e is not an odd number from 65537 to 2^32") }
        do {
            return try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        } catch {
            throw .unusableKey("n and e are not an RSA key")
        }
    }

    private static func p256(_ jwk: JSONObject) throws(JOSEError) -> P256.Signing.PublicKey {
        let x = try bytes("x", in: jwk)
        let y = try bytes("y", in: jwk)
        guard x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
        else { throw .unusableKey("x and y are not a point on P-256") }
        return key
    }

    private static func ed25519(_ jwk: JSONObject) throws(JOSEError) -> Curve25519.Signing.PublicKey {
        let x = try bytes("x", in: jwk)
        guard x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else {
            throw .unusableKey("x is not 32 bytes")
        }
        if let weakness = Ed25519Point.weakness(of: x) { throw .unusableKey(weakness) }
        return key
    }

    private static func bytes(_ name: String, in jwk: JSONObject) throws(JOSEError) -> [UInt8] {
        guard let text = jwk[name]?.stringValue, let bytes = try? Base64URL.decode(Array(text.utf8)) else {
            throw .unusableKey("\(name) is not base64url")
        }
        return bytes
    }
}

extension JOSEError {
    fileprivate static func unusableKey(_ why: String) -> Self {
        Self(.invalidKey, "A key in the set is unusable: \(why).")
    }
}
