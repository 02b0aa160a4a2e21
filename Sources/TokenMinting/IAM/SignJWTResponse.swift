import ExpiringCache
import FleetToken
import JOSE
import StrictCoding

/// The response to `signJwt`.
struct SignJWTResponse: Sendable {
    let keyID: String
    /// The token.
    ///
    /// The caller must check its claims and verify its signature.
    let token: Secret

    /// Creates the result by parsing the response.
    ///
    /// - Throws: ``IAMError`` when it isn't one.
    init(_ body: Secret) throws(IAMError) {
        guard let response = try? JSONParser.parseObject(body.reveal()),
            let keyID = response["keyId"]?.stringValue, JWSHeader.isValidKeyID(keyID),
            let token = response["signedJwt"]?.stringValue
        else {
            throw IAMError(.malformed, "Google's response to signJwt is malformed.", retry: .permanent)
        }
        self.keyID = keyID
        self.token = Secret(token)
    }
}
