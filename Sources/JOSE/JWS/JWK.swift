package import FleetToken

/// An RSA signing key as JSON (RFC 7517, RFC 7518 section 6.3): public numbers only.
package struct JWK: Equatable, Sendable {
    /// `kid`.
    package let keyID: String
    package let key: RSAPublicKey

    /// Creates a key with an ID; the default is its thumbprint (RFC 7638).
    package init(_ key: RSAPublicKey, keyID: String? = nil) {
        self.key = key
        self.keyID = keyID ?? key.thumbprint
    }

    /// Creates a key by parsing a JWK, unless it is of another type or for another use than RS256 signatures.
    ///
    /// A private key is refused, because in this place it is no longer secret.
    ///
    /// - Throws: ``JOSEError`` when it is not an RSA key with at least 2,048 bits.
    package init?(parsing object: JSONObject) throws(JOSEError) {
        guard object["kty"] == .string("RSA"), object["use"] == nil || object["use"] == .string("sig"),
            object["alg"] == nil || object["alg"] == .string("RS256")
        else { return nil }
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth"] where object[name] != nil {
            throw .invalidJWK("it is a private key; publish only the public key")
        }
        let key = try RSAPublicKey(
            modulus: try Self.number("n", in: object),
            exponent: try Self.number("e", in: object)
        )
        guard let keyID = object["kid"] else {
            self.init(key)
            return
        }
        guard let text = keyID.stringValue, JWSHeader.isValidKeyID(text) else {
            throw .invalidJWK("kid is not 1 to 128 visible ASCII characters")
        }
        self.init(key, keyID: text)
    }

    private static func number(_ name: String, in object: JSONObject) throws(JOSEError) -> [UInt8] {
        guard let text = object[name]?.stringValue, text.utf8.count <= 2 * RSAPublicKey.maximumBits / 8,
            let number = try? Base64URL.decode(Array(text.utf8)), let first = number.first, first != 0
        else { throw .invalidJWK("\(name) is not a base64url number without leading zeros") }
        return number
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kty", "RSA")
            writer.member("use", "sig")
            writer.member("alg", "RS256")
            writer.member("kid", keyID)
            writer.member("n", utf8: Base64URL.encode(key.modulus))
            writer.member("e", utf8: Base64URL.encode(key.exponent))
        }
    }
}

extension JOSEError {
    fileprivate static func invalidJWK(_ what: String) -> Self {
        Self(.invalidKey, "The JWK is unusable: \(what).")
    }
}
