/// A payload read claim by claim: all valid parts, and a list of all problems.
///
/// Strict callers use ``claims``; tools that explain a token show the rest.
package struct ClaimsReading: Sendable {
    /// `iss`, if it is a string of visible ASCII characters.
    package private(set) var issuer: String?
    /// `iat`, if it is an integer.
    package private(set) var issuedAt: NumericDate?
    /// `nbf`, if it is an integer; tokens minted here have none.
    package private(set) var notBefore: NumericDate?
    /// `exp`, if it is an integer.
    package private(set) var expiresAt: NumericDate?
    /// The claims in `authorization` that are valid, in the order written.
    package private(set) var authorization: [ScopeClaim] = []
    /// All problems that don't depend on the current time.
    package private(set) var problems: [ClaimsProblem] = []

    /// The claims, if there are no problems.
    package var claims: FleetClaims? {
        guard problems.isEmpty, let issuer, let issuedAt, let expiresAt else { return nil }
        return FleetClaims(issuer: issuer, authorization: authorization, issuedAt: issuedAt, expiresAt: expiresAt)
    }

    /// Whether the token grants access to all resources of a type.
    package var hasWildcard: Bool {
        authorization.contains { $0.value == .every }
    }

    package init(payload: some Sequence<UInt8>) {
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(payload)
        } catch {
            problems.append(.init(.malformed, "The payload cannot be read: \(error)."))
            return
        }
        readParties(object)
        readTimes(object)
        readAuthorization(object)
    }

    private mutating func readParties(_ object: JSONObject) {
        if let text = object["iss"]?.stringValue, !text.utf8.isEmpty, text.utf8.allSatisfy(\.isASCIIVisible) {
            issuer = text
        } else {
            problems.append(.init(.issuer, "iss must be the e-mail address of the service account that signs."))
        }
        if object["sub"] != object["iss"] {
            problems.append(.init(.issuer, "sub must be the same as iss."))
        }
        if object["aud"] != .string(FleetClaims.audience) {
            problems.append(
                .init(.audience, "aud must be the string \(FleetClaims.audience), with the trailing slash.")
            )
        }
    }

    private mutating func readTimes(_ object: JSONObject) {
        issuedAt = time("iat", in: object)
        expiresAt = time("exp", in: object)
        if object["nbf"] != nil { notBefore = time("nbf", in: object) }
        guard let issuedAt, let expiresAt else { return }
        if expiresAt <= issuedAt {
            problems.append(.init(.times, "exp must be after iat."))
        } else if expiresAt - issuedAt > Self.furthestExpiry {
            problems.append(.init(.tooLong, "exp is more than an hour after iat."))
        }
    }

    private mutating func time(_ name: String, in object: JSONObject) -> NumericDate? {
        // Larger numbers, beyond the year 9999, are milliseconds.
        guard let seconds = object[name]?.integerValue, (0...253_402_300_799).contains(seconds) else {
            problems.append(.init(.times, "\(name) must be an integer: whole seconds since 1970, not milliseconds."))
            return nil
        }
        return NumericDate(seconds: seconds)
    }

    private mutating func readAuthorization(_ object: JSONObject) {
        guard let members = object["authorization"]?.objectValue?.members, !members.isEmpty else {
            problems.append(.init(.authorization, "authorization must be an object with at least one claim."))
            return
        }
        for member in members {
            guard let name = ScopeClaim.Name.allCases.first(where: { $0.rawValue.hasSameBytes(as: member.name) })
            else {
                problems.append(.init(.authorization, "authorization has a claim that Fleet Engine does not define."))
                continue
            }
            if let value = value(of: name, member.value) { authorization.append(ScopeClaim(name, value)) }
        }
        if authorization.count > 1 { checkClaimsBesideOthers() }
    }

    private mutating func checkClaimsBesideOthers() {
        if authorization.contains(where: { $0.name == .tasks }) {
            problems.append(.init(.authorization, "taskids cannot be combined with other claims."))
        }
        if authorization.contains(where: { $0.name == .tracking }), !authorization.allSatisfy({ $0.value == .every }) {
            problems.append(.init(.authorization, "trackingid cannot be combined with other claims, unless all are *."))
        }
    }

    private mutating func value(of name: ScopeClaim.Name, _ value: JSONValue) -> ScopeClaim.Value? {
        if name == .tasks {
            guard let elements = value.arrayValue, !elements.isEmpty else {
                problems.append(.init(.authorization, "taskids must be an array with at least one ID."))
                return nil
            }
            if elements == [.string("*")] { return .every }
            let ids = elements.compactMap { id(name, $0) }
            return ids.count == elements.count ? .ids(ids) : nil
        }
        return value == .string("*") ? .every : id(name, value).map { .id($0) }
    }

    private mutating func id(_ name: ScopeClaim.Name, _ value: JSONValue) -> ResourceID? {
        guard let text = value.stringValue else {
            problems.append(.init(.authorization, "\(name.rawValue) must be a string."))
            return nil
        }
        do {
            return try ResourceID(text)
        } catch {
            problems.append(.init(.invalidID, "\(name.rawValue): \(error.message)"))
            return nil
        }
    }
}

extension ClaimsReading {
    /// How far `iat` may be ahead of Google's clock, in seconds.
    package static let allowedSkew: Int64 = 600
    /// How far `exp` may be ahead of Google's clock, in seconds.
    package static let furthestExpiry: Int64 = 3600

    /// Returns the problems of the times at `now`.
    package func problems(at now: NumericDate) -> [ClaimsProblem] {
        var problems: [ClaimsProblem] = []
        if let expiresAt, expiresAt <= now {
            problems.append(.init(.expired, "It expired \(now - expiresAt) seconds ago. Request a new token."))
        }
        if let expiresAt, expiresAt - now > Self.furthestExpiry {
            problems.append(.init(.tooLong, "exp is more than an hour in the future; Fleet Engine rejects the token."))
        }
        if let issuedAt, issuedAt - now > Self.allowedSkew {
            problems.append(
                .init(.notYetValid, "iat is more than ten minutes in the future. Check the issuer's clock.")
            )
        }
        if let notBefore, notBefore - now > Self.allowedSkew {
            problems.append(
                .init(.notYetValid, "nbf is more than ten minutes in the future: the token is not valid yet.")
            )
        }
        return problems
    }
}
