import FleetToken
import JOSE
import TestSupport
import TokenMinting
import TokenService

/// Tokens with any header and any claims, signed with a key of the tests.
enum SampleToken {
    static let key = Result { try TestKeys.rsa(0) }
    static let otherKey = Result { try TestKeys.rsa(1) }

    /// What the clock shows in these tests: 2026-11-20 22:48:10 UTC.
    static let now = NumericDate(seconds: 1_795_214_890)

    static let header = #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#

    /// The claims of a good token, with its `authorization` and the times of a token minted just now.
    static func claims(
        _ authorization: String = #"{"tripid":"trip-1"}"#,
        issued: Int64 = now.seconds - 60,
        expires: Int64 = now.seconds + 3540
    ) -> String {
        """
        {"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",\
        "iat":\(issued),"exp":\(expires),"authorization":\(authorization)}
        """
    }

    static func signed(
        header: String = header,
        claims: String = claims(),
        with signingKey: Result<RSAPrivateKey, any Error> = key
    ) throws -> [UInt8] {
        let input =
            Base64URL.encode(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64URL.encode(Array(claims.utf8))
        return input + [UInt8(ascii: ".")] + Base64URL.encode(try signingKey.get().signature(for: input))
    }

    /// The account of the tokens.
    static func account() throws -> ServiceAccount {
        try ServiceAccount(email: "a@b.example", keyID: "key-1", key: try key.get())
    }

    static func keys() throws -> VerificationKeys {
        var keys = JWKSet()
        try keys.insert(account().jwk)
        return .set(keys)
    }
}
