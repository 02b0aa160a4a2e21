import FleetToken
import Foundation

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
        let expiry = [reading.secondsSince1970, jwt.expiresAt.map { TimeInterval($0.seconds) }].compactMap { $0 }.min()
        let lifetime = RemainingLifetime(
            secondsFromNow: reading.secondsFromNow,
            expiresAt: expiry,
            issuedAt: jwt.issuedAt.map { TimeInterval($0.seconds) },
            serverClock: serverClock.map { TimeInterval($0.seconds) },
            deviceClock: now,
            age: answer.age.flatMap { Int64($0) }.map { max(0, TimeInterval($0)) } ?? 0
        )
        return FetchedToken(reading.token, lifetime: lifetime.seconds)
    }
}
