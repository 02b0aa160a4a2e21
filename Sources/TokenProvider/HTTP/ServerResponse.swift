import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response of a token server: the relevant header fields and the bounded body.
struct ServerResponse: Sendable {
    /// The maximum size of a body in bytes: a token has about a thousand.
    static let bodyLimit = 65_536

    var status: Int
    /// `Date`: the time on the server's clock.
    var date: String?
    /// `Age`: the number of seconds that an intermediate cache has kept the response.
    var age: String?
    var retryAfter: String?
    /// `Location`: the target of a redirection.
    var location: String?
    /// `X-Request-Id`: the request ID in the server's log.
    var requestID: String?
    var body = Data()

    /// Reads the token.
    ///
    /// - Parameters:
    ///   - decode: Reads the body.
    ///   - now: The time on the device's clock, in seconds since 1970.
    /// - Returns: The token, with what the response says of its life.
    /// - Throws: ``TokenProviderError``.
    func token(_ decode: (Data) throws -> Token, now: TimeInterval) throws -> Token {
        let serverClock = date.flatMap(HTTPDate.parse)
        guard (200...299).contains(status) else {
            throw TokenProviderError(
                self,
                retryAfter: RetryAfter.seconds(retryAfter, date: serverClock ?? Date(timeIntervalSince1970: now))
            )
        }
        var token: Token
        do {
            token = try decode(body)
        } catch var error as TokenProviderError {
            error.cooldown = error.cooldown.afterResponse
            throw error
        } catch {
            throw TokenProviderError(.unexpectedResponse, "The response is not what the server's decode expects.")
        }
        token.lifetime.serverClock = serverClock?.timeIntervalSince1970
        token.lifetime.age = age.flatMap { Int64($0) }.map { max(0, TimeInterval($0)) } ?? 0
        return token
    }
}

extension ServerResponse {
    /// Creates a response from the head of a URL response.
    init(_ response: HTTPURLResponse) {
        self.init(
            status: response.statusCode,
            date: response.value(forHTTPHeaderField: "Date"),
            age: response.value(forHTTPHeaderField: "Age"),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
            location: response.value(forHTTPHeaderField: "Location"),
            requestID: response.value(forHTTPHeaderField: "X-Request-Id")
        )
    }
}
