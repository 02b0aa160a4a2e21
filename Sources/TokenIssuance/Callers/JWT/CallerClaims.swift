import FleetToken

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
    /// `nbf` and `iat`: neither may lie ahead.
    let beginnings: [NumericDate]
    let all: JSONObject

    /// Creates the claims by parsing a payload.
    ///
    /// - Throws: ``AuthenticationFailure`` if it is not a JSON object, or that names a required claim that is missing or has
    ///   the wrong type.
    init(parsing payload: [UInt8]) throws(AuthenticationFailure) {
        guard let object = try? JSONParser.parseObject(payload, maximumValues: Self.maximumValues) else {
            throw .init(.malformedClaims)
        }
        guard let issuer = try Self.value("iss", in: object).stringValue else {
            throw .malformedClaim("iss")
        }
        self.issuer = issuer
        guard let subject = try Self.value("sub", in: object).stringValue,
            (1...Self.maximumSubjectSize).contains(subject.utf8.count)
        else { throw .malformedClaim("sub") }
        self.subject = subject
        audiences = try Self.audiences(try Self.value("aud", in: object))
        expiresAt = try Self.time(try Self.value("exp", in: object), of: "exp", rounded: .down)
        var beginnings: [NumericDate] = []
        for name in ["nbf", "iat"] {
            guard let value = object[name] else { continue }
            beginnings.append(try Self.time(value, of: name, rounded: .up))
        }
        self.beginnings = beginnings
        all = object
    }

    private static func value(_ name: String, in object: JSONObject) throws(AuthenticationFailure) -> JSONValue {
        guard let value = object[name] else { throw .missingClaim(name) }
        return value
    }

    private static func audiences(_ value: JSONValue) throws(AuthenticationFailure) -> [String] {
        if let audience = value.stringValue { return [audience] }
        let elements = value.arrayValue
        let audiences = elements?.compactMap(\.stringValue) ?? []
        guard let elements, audiences.count == elements.count else { throw .malformedClaim("aud") }
        return audiences
    }

    /// Returns the time of a claim, rounded so that no token lives longer: a beginning up, an end down.
    static func time(
        _ value: JSONValue,
        of name: String,
        rounded rule: FloatingPointRoundingRule
    ) throws(AuthenticationFailure) -> NumericDate {
        guard let time = NumericDate(claim: value, rounded: rule) else { throw .malformedClaim(name) }
        return time
    }
}
