import FleetToken
import JOSE

/// A presented JWT: parsed strictly, but not verified.
struct CallerToken {
    /// The header's `kid`, if any.
    let keyID: String?
    /// The header's `alg`, if it is supported for callers' tokens.
    let algorithm: JWSAlgorithm?
    /// The header's `typ` in lower case, without the `application/` that may be left out (RFC 7515 section 4.1.9).
    let type: [UInt8]?
    let claims: CallerClaims
    /// The bytes that are signed.
    let signingInput: [UInt8]
    /// The signature's bytes.
    let signature: [UInt8]

    /// Creates a token by parsing a compact JWS whose payload is a JSON object with the required claims.
    init(parsing token: [UInt8]) throws(AuthenticationFailure) {
        let jws = try Self.jws(token)
        signature = jws.signature
        signingInput = jws.signingInput
        algorithm = jws.header.signatureAlgorithm
        type = jws.header.type.map(Self.mediaType)
        keyID = jws.header.keyID
        claims = try CallerClaims(parsing: jws.payload)
    }

    /// Whether Google has removed the signature, so that the service cannot verify the token.
    var isSignatureRemoved: Bool { signature == Self.removedSignature }

    private static let removedSignature = try? Base64URL.decode(Array("SIGNATURE_REMOVED_BY_GOOGLE".utf8))

    private static func jws(_ token: [UInt8]) throws(AuthenticationFailure) -> CompactJWS {
        do {
            return try CompactJWS(parsing: token)
        } catch {
            throw .init(error.code == .forbiddenHeader ? .forbiddenHeader : .malformedToken)
        }
    }

    private static func mediaType(_ text: String) -> [UInt8] {
        let type = text.utf8.lowercasedASCII
        let prefix = Array("application/".utf8)
        let isAbbreviable = type.starts(with: prefix) && !type.dropFirst(prefix.count).contains(UInt8(ascii: "/"))
        return isAbbreviable ? Array(type.dropFirst(prefix.count)) : type
    }
}
