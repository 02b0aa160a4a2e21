import FleetToken

/// A compact JWS (RFC 7515), taken apart; its signature is not yet verified.
struct SignedToken: Sendable {
    /// How long a token may be, in bytes.
    private static let maximumSize = 8 * 1024
    /// Parameters that would let a token choose its own key or its own reading (RFC 8725 sections 3.1 and 3.10).
    private static let forbidden = ["crit", "b64", "zip", "jwk", "jku", "x5u", "x5c"]

    let keyID: String?
    let claims: JSONObject
    /// What is signed: header and claims as they are encoded.
    let signed: ArraySlice<UInt8>
    let signature: [UInt8]

    /// Creates a token by parsing it.
    ///
    /// - Throws: ``EngineError``, by ``Rule/tokenMalformed`` or ``Rule/tokenAlgorithm``.
    init(_ token: [UInt8]) throws(EngineError) {
        guard token.count <= Self.maximumSize else { throw Self.malformed("it is larger than 8 KiB") }
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A token without a signature is malformed; its header says more.
        guard let header = parts.first.flatMap(Self.object) else { throw Self.malformed("it is not a compact JWS") }
        guard header["alg"] == .string("RS256") else {
            throw TokenVerifier.refused(.tokenAlgorithm, "alg is not RS256")
        }
        guard parts.count == 3, !parts[2].isEmpty, let signature = try? Base64URL.decode(parts[2]) else {
            throw Self.malformed("it is not a compact JWS")
        }
        for name in Self.forbidden where header[name] != nil {
            throw Self.malformed("its header has \(name)")
        }
        guard header["typ"].map({ $0 == .string("JWT") }) ?? true else { throw Self.malformed("typ is not JWT") }
        guard header["kid"].map({ $0.stringValue != nil }) ?? true else { throw Self.malformed("kid is not a string") }
        guard let claims = Self.object(parts[1]) else { throw Self.malformed("the claims are not a JSON object") }
        keyID = header["kid"]?.stringValue
        self.claims = claims
        signed = token[..<(parts[2].startIndex - 1)]
        self.signature = signature
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONObject? {
        (try? Base64URL.decode(part)).flatMap { try? JSONParser.parseObject($0, maximumValues: 1_000) }
    }

    private static func malformed(_ reason: String) -> EngineError {
        TokenVerifier.refused(.tokenMalformed, reason)
    }
}
