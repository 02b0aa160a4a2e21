package import FleetToken

/// A public key that verifies tokens (RFC 7517), and the algorithms for which it does.
///
/// They follow from the key's type, curve and `alg` only; a token cannot influence them.
package struct VerificationKey: Sendable {
    /// The algorithms that the key may be used with.
    package private(set) var algorithms: [JWSAlgorithm]
    private let key: EVPKey
    /// The one length of a signature: that of the RSA modulus, twice that of a coordinate (RFC 7518 section 3.4), or 64 bytes
    /// (RFC 8032 section 5.1.6).
    private let size: Int
    /// The curve of a key for ECDSA.
    private let curve: EllipticCurve?

    /// Creates a key by parsing a JWK, unless its type, curve or algorithm isn't considered.
    ///
    /// - Parameters:
    ///   - jwk: The JWK.
    ///   - allowed: The algorithms to consider.
    /// - Throws: ``JOSEError`` if the key is considered but unusable.
    package init?(
        parsing jwk: JSONObject,
        for allowed: [JWSAlgorithm] = JWSAlgorithm.allCases
    ) throws(JOSEError) {
        // JSON values compare bytes; a pattern with a text would take a letter's other spellings, too.
        let isRSA = jwk["kty"] == .string("RSA")
        let isPoint = jwk["kty"] == .string("EC")
        let isEd25519 = jwk["kty"] == .string("OKP") && jwk["crv"] == .string("Ed25519")
        let curve = EllipticCurve.allCases.first { isPoint && jwk["crv"] == .string($0.rawValue) }
        let possible: [JWSAlgorithm] =
            isRSA
            ? [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
            : isEd25519 ? [.edDSA] : curve.map { [$0.algorithm] } ?? []
        guard !possible.isEmpty else { return nil }
        algorithms = try Self.algorithms(possible, jwk).filter(allowed.contains)
        guard !algorithms.isEmpty else { return nil }
        self.curve = curve
        if let curve {
            (key, size) = (try Self.point(jwk, on: curve), 2 * curve.size)
        } else if isRSA {
            (key, size) = try Self.rsa(jwk)
        } else {
            (key, size) = (try Self.ed25519(jwk), 64)
        }
    }

    /// Returns the algorithms of a key type that the key's own `alg` allows.
    private static func algorithms(_ possible: [JWSAlgorithm], _ jwk: JSONObject) throws(JOSEError) -> [JWSAlgorithm] {
        guard let value = jwk["alg"] else { return possible }
        guard let name = value.stringValue else { throw .unusableKey("its alg is not a string") }
        return possible.filter { $0.rawValue.hasSameBytes(as: name) }
    }

    /// Returns the key restricted to some algorithms; nil if none is left.
    package func limited(to allowed: [JWSAlgorithm]) -> Self? {
        var key = self
        key.algorithms = algorithms.filter(allowed.contains)
        return key.algorithms.isEmpty ? nil : key
    }

    /// Returns whether a signature over a message is valid for this key.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        // libcrypto takes a PSS signature without its leading zeros.
        guard algorithms.contains(algorithm), signature.count == size else { return false }
        return key.isValidSignature(curve?.der(signature) ?? signature, of: message, by: algorithm)
    }
}

// MARK: - The numbers of each type (RFC 7518 section 6, RFC 8037 section 2)

extension VerificationKey {
    private static func rsa(_ jwk: JSONObject) throws(JOSEError) -> (EVPKey, size: Int) {
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
        guard let key = EVPKey.rsa(modulus: modulus, exponent: exponent) else {
            throw .unusableKey("n and e are not an RSA key")
        }
        return (key, modulus.count)
    }

    private static func point(_ jwk: JSONObject, on curve: EllipticCurve) throws(JOSEError) -> EVPKey {
        guard let key = EVPKey.point(x: try bytes("x", in: jwk), y: try bytes("y", in: jwk), on: curve) else {
            throw .unusableKey("x and y are not a point on \(curve.rawValue)")
        }
        return key
    }

    private static func ed25519(_ jwk: JSONObject) throws(JOSEError) -> EVPKey {
        let x = try bytes("x", in: jwk)
        if let weakness = Ed25519Point.weakness(of: x) { throw .unusableKey(weakness) }
        guard let key = EVPKey.ed25519(x) else { throw .unusableKey("x is not an Ed25519 key") }
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
