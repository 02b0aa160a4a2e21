import ExpiringCache
import FleetToken
import JOSE
import StrictCoding

/// The answer to `signJwt`.
struct SignJWTAnswer: Sendable {
    /// The ID of the key that signed.
    let keyID: String
    /// The token.
    ///
    /// Whether it says what was asked for, and is signed with that key, is for whoever asked to check.
    let token: Secret

    /// Reads the answer.
    ///
    /// - Throws: ``IAMError`` when it isn't one.
    init(_ body: Secret) throws(IAMError) {
        guard let answer = try? JSONParser.parseObject(body.reveal()),
            let keyID = answer["keyId"]?.stringValue, JWSHeader.isValidKeyID(keyID),
            let token = answer["signedJwt"]?.stringValue
        else {
            throw IAMError(.malformed, "Google's answer to signJwt is not one that can be read.", retry: .permanent)
        }
        self.keyID = keyID
        self.token = Secret(token)
    }
}
