import FleetToken
import JOSE
import StrictCoding

/// A presented JWT: parsed strictly, but not verified.
struct CallerToken {
    /// The header's `kid`.
    let keyID: String
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
        algorithm = JWSAlgorithm.allCases.first { $0.rawValue.hasSameBytes(as: jws.header.algorithm) }
        type = jws.header.type.map(Self.mediaType)
        // A key that isn't named would have to be guessed.
        guard let keyID = jws.header.keyID else { throw .init(.unknownKey) }
        self.keyID = keyID
        claims = try CallerClaims(parsing: jws.payload)
    }

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

/// The claims of a caller's token: the registered ones (RFC 7519 section 4.1) read strictly, the others as they are.
struct CallerClaims {
    /// The maximum size of `sub`, in bytes; OpenID Connect allows 255, and SPIFFE has longer ones.
    static let maximumSubjectSize = 1024
    /// The maximum number of values, nested ones included: a user's groups are most of them, and issuers that
    /// list them stop at 200 or so.
    static let maximumValues = 512

    /// `iss`.
    let issuer: String
    /// `sub`.
    let subject: String
    /// `aud`, which may be one string or a list.
    let audiences: [String]
    /// `exp`.
    let expiresAt: NumericDate
    /// `nbf`, `iat` and OpenID Connect's `auth_time`: none of them may lie ahead.
    let beginnings: [NumericDate]
    let all: JSONObject

    /// Creates the claims by parsing a payload.
    ///
    /// - Throws: ``AuthenticationFailure`` if it is not a JSON object, or a required claim is missing or has the wrong
    ///   type.
    init(parsing payload: [UInt8]) throws(AuthenticationFailure) {
        guard let object = try? JSONParser.parseObject(payload, maximumValues: Self.maximumValues),
            let issuer = object["iss"]?.stringValue,
            let subject = object["sub"]?.stringValue,
            (1...Self.maximumSubjectSize).contains(subject.utf8.count)
        else { throw .init(.malformedClaims) }
        self.issuer = issuer
        self.subject = subject
        audiences = try Self.audiences(object["aud"])
        expiresAt = try Self.time(object["exp"])
        var beginnings: [NumericDate] = []
        for name in ["nbf", "iat", "auth_time"] {
            guard let value = object[name] else { continue }
            beginnings.append(try Self.time(value))
        }
        self.beginnings = beginnings
        all = object
    }

    private static func audiences(_ value: JSONValue?) throws(AuthenticationFailure) -> [String] {
        if let audience = value?.stringValue { return [audience] }
        guard let elements = value?.arrayValue else { throw .init(.malformedClaims) }
        let audiences = elements.compactMap(\.stringValue)
        guard audiences.count == elements.count else { throw .init(.malformedClaims) }
        return audiences
    }

    private static func time(_ value: JSONValue?) throws(AuthenticationFailure) -> NumericDate {
        // The upper bound, the year 9999, keeps all arithmetic far from overflow.
        guard let seconds = value?.integerValue, (0...253_402_300_799).contains(seconds) else {
            throw .init(.malformedClaims)
        }
        return NumericDate(seconds: seconds)
    }
}
