import FleetToken

/// The public key of a JWK, of any type that verifies signatures (RFC 7518 section 6, RFC 8037 section 2).
enum PublicKey: Sendable {
    case rsa(RSAPublicKey)
    /// A point on a curve for ECDSA, by its coordinates.
    case point(EVPKey, x: [UInt8], y: [UInt8], EllipticCurve)
    /// An Ed25519 key, by its 32 bytes.
    case ed25519(EVPKey, x: [UInt8])

    /// Returns the algorithms of a JWK's type and curve; none for others.
    static func algorithms(of object: JSONObject) -> [JWSAlgorithm] {
        // JSON values compare bytes; a pattern with a text would take a letter's other spellings, too.
        if object["kty"] == .string("RSA") { return [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512] }
        if isEd25519(object) { return [.edDSA] }
        return curve(of: object).map { [$0.algorithm] } ?? []
    }

    /// Creates a key by parsing a JWK of a type and curve that has algorithms.
    ///
    /// - Throws: ``JOSEError`` that describes why the key is unusable.
    init(parsing object: JSONObject) throws(JOSEError) {
        if let curve = Self.curve(of: object) {
            let x = try Self.coordinate("x", in: object, of: curve)
            let y = try Self.coordinate("y", in: object, of: curve)
            guard let key = EVPKey.point(x: x, y: y, on: curve) else {
                throw .unusableKey("x and y are not a point on \(curve.rawValue)")
            }
            self = .point(key, x: x, y: y, curve)
        } else if Self.isEd25519(object) {
            let x = try Self.bytes("x", in: object)
            if let weakness = Ed25519Point.weakness(of: x) { throw .unusableKey(weakness) }
            guard let key = EVPKey.ed25519(x) else { throw .unusableKey("x is not an Ed25519 key") }
            self = .ed25519(key, x: x)
        } else {
            self = .rsa(try Self.rsa(object))
        }
    }

    /// The one length of a signature: that of the RSA modulus, twice that of a coordinate (RFC 7518 section 3.4), or 64 bytes
    /// (RFC 8032 section 5.1.6).
    private var signatureSize: Int {
        switch self {
        case .rsa(let key): key.modulus.count
        case .point(_, _, _, let curve): 2 * curve.size
        case .ed25519: 64
        }
    }

    /// Returns whether a signature over a message is valid, by an algorithm of the key's type.
    func isValidSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: JWSAlgorithm) -> Bool {
        // libcrypto takes a PSS signature without its leading zeros.
        guard signature.count == signatureSize else { return false }
        return switch self {
        case .rsa(let key): key.key.isValidSignature(signature, of: message, by: algorithm)
        case .point(let key, _, _, let curve): key.isValidSignature(curve.der(signature), of: message, by: algorithm)
        case .ed25519(let key, _): key.isValidSignature(signature, of: message, by: algorithm)
        }
    }

    /// The members of its JWK that make it what it is, in the order of RFC 7518.
    var members: [(name: String, value: String)] {
        switch self {
        case .rsa(let key): [("kty", "RSA"), ("n", Self.text(key.modulus)), ("e", Self.text(key.exponent))]
        case .point(_, let x, let y, let curve):
            [("kty", "EC"), ("crv", curve.rawValue), ("x", Self.text(x)), ("y", Self.text(y))]
        case .ed25519(_, let x): [("kty", "OKP"), ("crv", "Ed25519"), ("x", Self.text(x))]
        }
    }

    /// The key's name by its content: base64url of the SHA-256 of these members in alphabetical order (RFC 7638).
    var thumbprint: String {
        var writer = JSONWriter()
        writer.object { writer in
            for member in members.sorted(by: { $0.name < $1.name }) { writer.member(member) }
        }
        return Self.text(SHA256Digest(of: writer.bytes).bytes)
    }
}

extension PublicKey: Equatable {
    /// Equality of the numbers.
    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.members.elementsEqual(rhs.members) { $0.value.hasSameBytes(as: $1.value) }
    }
}

// MARK: - The numbers of each type

extension PublicKey {
    private static func isEd25519(_ object: JSONObject) -> Bool {
        object["kty"] == .string("OKP") && object["crv"] == .string("Ed25519")
    }

    private static func curve(of object: JSONObject) -> EllipticCurve? {
        guard object["kty"] == .string("EC") else { return nil }
        return EllipticCurve.allCases.first { object["crv"] == .string($0.rawValue) }
    }

    /// Leading zeros, as Java's `toByteArray` writes them, change no number (RFC 7518 section 6.3.1.1 warns of them).
    private static func rsa(_ object: JSONObject) throws(JOSEError) -> RSAPublicKey {
        let modulus = try bytes("n", in: object)
        let exponent = try bytes("e", in: object).drop { $0 == 0 }
        guard (3...4).contains(exponent.count), exponent.last.map({ $0 & 1 == 1 }) ?? false else {
            throw .unusableKey("e is not an odd number from 65537 to 2^32")
        }
        return try RSAPublicKey(modulus: modulus, exponent: Array(exponent))
    }

    /// A coordinate has all bytes of its curve's size, with zeros at the beginning (RFC 7518 section 6.2.1.2).
    private static func coordinate(
        _ name: String,
        in object: JSONObject,
        of curve: EllipticCurve
    ) throws(JOSEError) -> [UInt8] {
        let bytes = try bytes(name, in: object)
        guard bytes.count == curve.size else {
            throw .unusableKey("\(name) has \(bytes.count) bytes, not the \(curve.size) of \(curve.rawValue)")
        }
        return bytes
    }

    private static func bytes(_ name: String, in object: JSONObject) throws(JOSEError) -> [UInt8] {
        guard let value = object[name] else {
            let hint = object["x5c"] == nil ? "" : "; a certificate in x5c is not read"
            throw .unusableKey("\(name) is missing\(hint)")
        }
        // Before it is decoded, so that a huge number costs nothing.
        guard let text = value.stringValue, text.utf8.count <= 2 * RSAPublicKey.maximumBits / 8,
            let bytes = try? Base64URL.decode(Array(text.utf8))
        else { throw .unusableKey("\(name) is not base64url, or too long") }
        return bytes
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }
}

extension JSONWriter {
    mutating func member(_ member: (name: String, value: String)) {
        name(text: member.name)
        string(member.value)
    }
}

extension JOSEError {
    static func unusableKey(_ why: String) -> Self { Self(.invalidKey, "The key is unusable: \(why).") }
}
