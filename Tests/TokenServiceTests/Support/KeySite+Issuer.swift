import FleetToken
import JOSE
import TestSupport

/// An issuer whose users are callers of the service.
extension KeySite {
    private static let issuer = "https://id.example"

    /// Writes the issuer's key, and returns the configuration of a caller whom it vouches for.
    func trustIssuer() throws -> [String: Any] {
        try write("keys.json", try [SigningKey.shared(.es256).jwk()].keySet)
        let jwt: [String: Any] = [
            "issuer": Self.issuer, "audiences": ["tokend"], "algorithms": ["ES256"], "keysFile": path("keys.json"),
        ]
        return ["jwt": jwt]
    }

    /// Returns the field with a token of the issuer's for a user with these claims.
    static func userToken(_ claims: [String: JSONValue] = [:]) throws -> String {
        let now = NumericDate.now.seconds
        let usual: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string("tokend"), "sub": .string("u-1"), "iat": .integer(now),
            "exp": .integer(now + 600),
        ]
        return "Authorization: Bearer \(try SigningKey.shared(.es256).token(claims: usual.merging(claims) { $1 }))"
    }
}
