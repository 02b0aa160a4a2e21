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
        let clock = serverClock ?? NumericDate(seconds: Int64(now))
        let retryAfter = RetryAfter.seconds(answer.retryAfter, date: clock)
        if let error = TokenProviderError(answer, retryAfter: retryAfter) { throw error }
        let reading = try format.read(answer.body)
        guard let jwt = JWTReading(reading.token) else {
            throw TokenProviderError(
                .unexpectedResponse,
                "\(format.tokenKey) is not a JWT. Choose the server's TokenResponseFormat."
            )
        }
        guard jwt.grantsAccess(onlyTo: scope) else {
            throw TokenProviderError(
                .wrongScope,
                "The server issued a token that does not grant access to the requested scope. Correct the server."
            )
        }
        let expiry = [reading.secondsSince1970, jwt.claims.expiresAt.map { TimeInterval($0.seconds) }].compactMap { $0 }
            .min()
        let lifetime = RemainingLifetime(
            secondsFromNow: reading.secondsFromNow,
            expiresAt: expiry,
            issuedAt: jwt.claims.issuedAt.map { TimeInterval($0.seconds) },
            serverClock: serverClock.map { TimeInterval($0.seconds) },
            deviceClock: now,
            age: answer.age.flatMap { Int64($0) }.map { max(0, TimeInterval($0)) } ?? 0
        )
        return FetchedToken(reading.token, lifetime: lifetime.seconds)
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
