import CLibJWT
import Foundation

/// libjwt 1.x.
///
/// It takes its algorithm from the token and its key as PEM, so this wrapper finds the key in the set and checks the
/// algorithm afterwards. It decodes JSON with jansson.
public struct LibJWTVerifier: TokenVerifier {
    private let keys: [String: [UInt8]]

    /// Reads a JWK Set with Foundation.
    public init(jwks: [UInt8]) throws {
        let set = try JSONDecoder().decode(KeySet.self, from: Data(jwks))
        keys = try Dictionary(set.keys.map { ($0.kid, try $0.pem()) }) { first, _ in first }
    }

    /// Verifies a token.
    public func verify(_ token: [UInt8]) async throws -> VerifiedToken {
        let keyID = try Decoded(token, key: []).header()["kid"]
        guard let key = keyID.flatMap({ keys[$0] }) else {
            throw VerificationFailure("The key set has no key with the token's kid.")
        }
        let decoded = try Decoded(token, key: key)
        guard decoded.isRS256 else { throw VerificationFailure("libjwt did not verify by RS256.") }
        return VerifiedToken(
            header: try decoded.header(),
            claimNames: try decoded.claimNames(),
            issuer: try decoded.string("iss"),
            subject: try decoded.string("sub"),
            audience: [try decoded.string("aud")],
            issuedAt: try decoded.integer("iat"),
            expiresAt: try decoded.integer("exp"),
            authorization: try decoded.authorization()
        )
    }
}

private struct KeySet: Decodable {
    struct Key: Decodable {
        let kid: String
        let n: String
        let e: String

        func pem() throws -> [UInt8] {
            DER.pem("PUBLIC KEY", DER.subjectPublicKeyInfo(modulus: try bytes(n), exponent: try bytes(e)))
        }

        private func bytes(_ base64URL: String) throws -> [UInt8] {
            let base64 = base64URL.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
            guard let data = Data(base64Encoded: base64 + padding) else {
                throw VerificationFailure("The key set has a number that is not base64url.")
            }
            return Array(data)
        }
    }

    let keys: [Key]
}

/// Owns one `jwt_t`.
private final class Decoded {
    private let jwt: OpaquePointer

    /// Decodes a token; without a key, libjwt verifies nothing.
    init(_ token: [UInt8], key: [UInt8]) throws {
        var jwt: OpaquePointer?
        let code = String(decoding: token, as: UTF8.self).withCString { text in
            jwt_decode(&jwt, text, key.isEmpty ? nil : key, Int32(key.count))
        }
        guard code == 0, let jwt else { throw VerificationFailure("libjwt refused the token (\(code)).") }
        self.jwt = jwt
    }

    deinit {
        jwt_free(jwt)
    }

    var isRS256: Bool { jwt_get_alg(jwt) == JWT_ALG_RS256 }

    func header() throws -> [String: String] {
        try decode(jwt_get_headers_json(jwt, nil))
    }

    func claimNames() throws -> Set<String> {
        let claims: [String: AnyValue] = try decode(jwt_get_grants_json(jwt, nil))
        return Set(claims.keys)
    }

    func string(_ name: String) throws -> String {
        guard let text = jwt_get_grant(jwt, name) else { throw VerificationFailure("libjwt reads no string \(name).") }
        return String(cString: text)
    }

    func integer(_ name: String) throws -> Int {
        // Zero is also what it returns when there is none; no token of ours is that old.
        let value = jwt_get_grant_int(jwt, name)
        guard value != 0 else { throw VerificationFailure("libjwt reads no integer \(name).") }
        return value
    }

    func authorization() throws -> [String: VerifiedToken.Value] {
        try decode(jwt_get_grants_json(jwt, "authorization"))
    }

    private func decode<Value: Decodable>(_ text: UnsafeMutablePointer<CChar>?) throws -> Value {
        guard let text else { throw VerificationFailure("libjwt reads no JSON.") }
        defer { free(text) }
        return try JSONDecoder().decode(Value.self, from: Data(String(cString: text).utf8))
    }
}

/// A value of any type, of which only the presence counts.
private struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
}
