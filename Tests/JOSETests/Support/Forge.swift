import FleetToken
import JOSE

/// Makes tokens of any header and payload, most of which no honest signer would make.
enum Forge {
    /// A header that is in order.
    static let header = #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#
    /// A payload that is.
    static let payload = #"{"iss":"someone","exp":1}"#

    /// The first two parts, with the dot between.
    static func signingInput(header: String = header, payload: String = payload) -> [UInt8] {
        Base64URL.encode(Array(header.utf8)) + Array(".".utf8) + Base64URL.encode(Array(payload.utf8))
    }

    /// A token with a signature that is given.
    static func token(
        header: String = header,
        payload: String = payload,
        signature: ([UInt8]) throws -> [UInt8]
    ) rethrows -> [UInt8] {
        let input = signingInput(header: header, payload: payload)
        return input + Array(".".utf8) + Base64URL.encode(try signature(input))
    }

    /// A token with a genuine RS256 signature, so that nothing but its header or form can be held against it.
    static func signed(header: String = header, payload: String = payload) throws -> [UInt8] {
        let key = try SharedKeys.key()
        return try token(header: header, payload: payload) { try key.signature(for: $0) }
    }

    private static let keys = Result {
        var keys = JWKSet()
        try keys.insert(JWK(try SharedKeys.key().publicKey, keyID: "key-1"))
        return keys
    }

    /// The set with the key that signs, under the ID `key-1`.
    static func keySet() throws -> JWKSet { try keys.get() }

    /// Reads a token and verifies it with the key of the set that it names.
    static func verify(_ token: [UInt8]) throws {
        try CompactJWS(parsing: token).verify(with: try keySet())
    }

    /// Why a token is refused; nil when it is not.
    static func refusal(of token: [UInt8]) throws -> JOSEError? {
        do {
            try verify(token)
            return nil
        } catch let error as JOSEError {
            return error
        }
    }
}
