import FleetToken
import Foundation
import StrictCoding

/// Creates a token from a server's response, or throws an error that says what to do.
struct TokenResponseReader {
    let format: TokenResponseFormat
    let scope: TokenScope
    /// The time on the device's clock, in seconds since 1970.
    let now: TimeInterval

    func read(_ answer: TransferResponse) throws(TokenProviderError) -> FetchedToken {
        let serverClock = answer.date.flatMap(HTTPDate.parse)
        guard (200...299).contains(answer.status) else {
            let clock = serverClock ?? NumericDate(seconds: Int64(now))
            throw TokenProviderError(
                refusal: answer,
                retryAfter: RetryAfter.seconds(answer.retryAfter, date: clock)
            )
        }
        let (token, expiry) = try format.read(answer.body)
        guard let jwt = JWTReading(token) else {
            throw .unexpected("\(format.tokenKey) is not a JWT. Choose the server's TokenResponseFormat.")
        }
        guard jwt.grantsAccess(onlyTo: scope) else {
            throw TokenProviderError(
                .wrongScope,
                "The server issued a token that does not grant access to the requested scope. Correct the server."
            )
        }
        let isRelative = format.expiryUnit == .secondsFromNow
        let ends = [isRelative ? nil : expiry, jwt.claims.expiresAt.map { TimeInterval($0.seconds) }]
        let lifetime = RemainingLifetime(
            secondsFromNow: isRelative ? expiry : nil,
            expiresAt: ends.compactMap { $0 }.min(),
            issuedAt: jwt.claims.issuedAt.map { TimeInterval($0.seconds) },
            serverClock: serverClock.map { TimeInterval($0.seconds) },
            deviceClock: now,
            age: answer.age.flatMap { Int64($0) }.map { max(0, TimeInterval($0)) } ?? 0
        )
        return FetchedToken(token, lifetime: lifetime.seconds)
    }
}

extension TokenResponseFormat {
    /// Reads the token in a body and its expiry in seconds, not yet compared with the token itself.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/unexpectedResponse``, which names keys of
    ///   this format and nothing of the body.
    fileprivate func read(_ body: [UInt8]) throws(TokenProviderError) -> (token: Secret, expiry: TimeInterval?) {
        guard let object = (try? JSONParser.parse(body))?.objectValue else {
            throw .unexpected("The response is not a JSON object. Check that the URL is the token server's.")
        }
        guard let token = object[tokenKey]?.stringValue else {
            throw .unexpected("The response has no string \(tokenKey). Choose the server's TokenResponseFormat.")
        }
        guard let expiryKey else { return (Secret(token), nil) }
        guard let expiry = object[expiryKey]?.number else {
            throw .unexpected("The response has no number \(expiryKey). Choose the server's TokenResponseFormat.")
        }
        guard let seconds = expiryUnit.plausibleSeconds(expiry) else {
            throw .unexpected(
                "\(expiryKey) is in a different unit than the TokenResponseFormat's expiryUnit. Choose the right one."
            )
        }
        return (Secret(token), seconds)
    }
}

extension TokenProviderError {
    fileprivate static func unexpected(_ message: String) -> Self { Self(.unexpectedResponse, message) }
}

extension TokenExpiryUnit {
    /// Returns the number in seconds; nil if it is implausible for this unit.
    ///
    /// Tokens are valid for an hour, so more than a week from now, or a date before 2001 or after 5138, indicates another
    /// unit. Such a number is an error, which shows in the first test of an app, and not a token that is cached for
    /// years.
    fileprivate func plausibleSeconds(_ number: Double) -> TimeInterval? {
        switch self {
        case .secondsFromNow: number <= 7 * 86_400 ? number : nil
        case .secondsSince1970: (1e9...1e11).contains(number) ? number : nil
        case .millisecondsSince1970: (1e12...1e14).contains(number) ? number / 1000 : nil
        }
    }
}

extension JSONValue {
    /// A number, with or without a fraction.
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }
}

/// Computes the remaining lifetime of a token from all information in a response.
///
/// A device's clock may be off by days. So the lifetime is the number of seconds in the response, or the time from the
/// server's `Date` to the token's `exp`, whichever is less: a server that returns an old response reports an outdated
/// number. Only if both are missing, the device's clock is used. The lifetime is never longer than the token's own `exp
/// - iat`.
struct RemainingLifetime {
    /// The remaining number of seconds in the response.
    var secondsFromNow: TimeInterval?
    /// When the token expires, by the response or by the token, whichever is earlier; in seconds since 1970.
    var expiresAt: TimeInterval?
    /// `iat`.
    var issuedAt: TimeInterval?
    /// The time on the server's clock.
    var serverClock: TimeInterval?
    /// The time on the device's clock.
    var deviceClock: TimeInterval
    /// How many seconds ago the response was created, if an intermediate cache kept it.
    var age: TimeInterval = 0

    /// The lifetime of a token without any time information: five minutes, the minimum that the SDKs require.
    static let whenUnknown: TimeInterval = 300

    /// The remaining number of seconds; zero or less for an expired token.
    var seconds: TimeInterval {
        let wholeLife = difference(expiresAt, issuedAt)
        let measured = [secondsFromNow, difference(expiresAt, serverClock)].compactMap { $0 }.min()
        let left =
            measured ?? min(wholeLife ?? Self.whenUnknown, difference(expiresAt, deviceClock) ?? Self.whenUnknown)
        return min(left, wholeLife ?? left) - age
    }

    private func difference(_ later: TimeInterval?, _ earlier: TimeInterval?) -> TimeInterval? {
        guard let later, let earlier else { return nil }
        return later - earlier
    }
}

/// The claims of a JWT, read for its scope and lifetime; Fleet Engine verifies the signature.
struct JWTReading {
    let claims: ClaimsReading

    /// Creates a reading of a compact JWS; nil if the token is not one.
    init?(_ token: Secret) {
        let parts = token.reveal().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // All three parts are checked, because the token is sent in the SDKs' request headers unchanged.
        guard parts.count == 3, let header = try? Base64URL.decode(parts[0]), !header.isEmpty,
            let payload = try? Base64URL.decode(parts[1]), let signature = try? Base64URL.decode(parts[2]),
            !signature.isEmpty
        else { return nil }
        claims = ClaimsReading(payload: payload)
        guard !claims.problems.contains(where: { $0.code == .malformed }) else { return nil }
    }

    /// Returns whether the token grants access to exactly this scope.
    func grantsAccess(onlyTo scope: TokenScope) -> Bool {
        guard !claims.problems.contains(where: { $0.code == .authorization || $0.code == .invalidID }) else {
            return false
        }
        return claims.authorization.count == scope.claims.count
            && scope.claims.allSatisfy { wanted in claims.authorization.contains { $0.isSame(as: wanted) } }
    }
}

extension ScopeClaim {
    /// Compares two claims, ignoring the order of a batch's tasks.
    fileprivate func isSame(as other: ScopeClaim) -> Bool {
        if name == other.name, case .ids(let ids) = value, case .ids(let otherIDs) = other.value {
            return ids.count == otherIDs.count && Set(ids) == Set(otherIDs)
        }
        return self == other
    }
}
