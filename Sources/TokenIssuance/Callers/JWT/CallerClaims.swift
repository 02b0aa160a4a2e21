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
