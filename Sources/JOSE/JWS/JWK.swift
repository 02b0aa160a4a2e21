package import FleetToken

/// A public key as JSON (RFC 7517), which verifies the signatures of some algorithms.
///
/// The algorithms follow from the key's type, curve and `alg` only; a token cannot influence them.
package struct JWK: Equatable, Sendable {
    /// `kid`; the key's thumbprint (RFC 7638) where it has none.
    package let keyID: String
    /// The algorithms that the key may be used with.
    package let algorithms: [JWSAlgorithm]
    private let material: PublicKey

    /// Creates a key that verifies RS256, with an ID; the default is its thumbprint.
    package init(_ key: RSAPublicKey, keyID: String? = nil) {
        material = .rsa(key)
        algorithms = [.rs256]
        self.keyID = keyID ?? key.thumbprint
    }

    /// Creates a key by parsing a JWK, unless it is for another use, or its type, curve or algorithm isn't considered.
    ///
    /// - Parameters:
    ///   - object: The JWK.
    ///   - allowed: The algorithms to consider.
    /// - Throws: ``JOSEError`` if the key is considered but unusable, or is a private one, which in this place is no longer
    ///   secret.
    package init?(parsing object: JSONObject, for allowed: [JWSAlgorithm] = [.rs256]) throws(JOSEError) {
        guard Self.isForSignatures(object) else { return nil }
        let possible = PublicKey.algorithms(of: object).filter(allowed.contains)
        guard !possible.isEmpty else { return nil }
        let algorithms = try Self.algorithms(possible, named: object["alg"])
        guard !algorithms.isEmpty else { return nil }
        guard !Self.isPrivate(object) else { throw .unusableKey("it is a private key; publish only the public key") }
        let material = try PublicKey(parsing: object)
        self.algorithms = algorithms
        self.material = material
        guard let keyID = object["kid"] else {
            self.keyID = material.thumbprint
            return
        }
        guard let text = keyID.stringValue, JWSHeader.isValidKeyID(text) else {
            throw .unusableKey("kid is not 1 to 128 visible ASCII characters")
        }
        self.keyID = text
    }

    /// The RSA key; nil for a key of another type.
    package var rsa: RSAPublicKey? { if case .rsa(let key) = material { key } else { nil } }

    /// Returns whether a signature over a message is valid for this key.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        algorithms.contains(algorithm) && material.isValidSignature(signature, of: message, by: algorithm)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for member in material.members.prefix(1) { writer.member(member) }
            writer.member("use", "sig")
            if algorithms.count == 1 { writer.member("alg", algorithms[0].rawValue) }
            writer.member("kid", keyID)
            for member in material.members.dropFirst() { writer.member(member) }
        }
    }
}

extension JWK {
    private static func isForSignatures(_ object: JSONObject) -> Bool {
        let (use, operations) = (object["use"], object["key_ops"])
        return (use == nil || use == .string("sig"))
            && (operations == nil || operations?.arrayValue?.contains(.string("verify")) ?? false)
    }

    /// Returns whether a JWK has a private member of an asymmetric key; `k` belongs to symmetric keys.
    static func isPrivate(_ object: JSONObject) -> Bool {
        ["d", "p", "q", "dp", "dq", "qi", "oth"].contains { object[$0] != nil }
    }

    /// Returns the algorithms of a key type that the key's own `alg` allows.
    private static func algorithms(
        _ possible: [JWSAlgorithm],
        named value: JSONValue?
    ) throws(JOSEError) -> [JWSAlgorithm] {
        guard let value else { return possible }
        guard value != .null else { return [] }
        guard let name = value.stringValue else { throw .unusableKey("its alg is not a string") }
        return possible.filter { $0.rawValue.hasSameBytes(as: name) }
    }
}
