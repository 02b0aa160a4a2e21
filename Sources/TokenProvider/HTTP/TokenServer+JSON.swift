public import Foundation

extension TokenServer {
    /// The unit of a token's expiry in a response.
    public enum ExpiryUnit: Sendable {
        /// Seconds from the time of the response.
        case secondsFromNow
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
    }

    /// Returns a function that reads a token and its expiry in a JSON object, for ``decode``.
    ///
    /// | server | arguments |
    /// |---|---|
    /// | `tokend` | the defaults |
    /// | the Consumer SDK's guide | `token: "TRIP_TOKEN_KEY", expiry: "TOKEN_EXPIRATION"`, and the unit of your server |
    /// | the Driver SDK's guide | `token: "VEHICLE_TOKEN_KEY", expiry: "TOKEN_EXPIRATION"` |
    /// | the on-demand samples | `token: "jwt", expiry: "expirationTimestamp", unit: .millisecondsSince1970` |
    /// | the last-mile samples | `expiry: "expiration_timestamp_ms", unit: .millisecondsSince1970` |
    /// | a Firebase callable | `token: "result.token", expiry: "result.expiresIn"` |
    ///
    /// A wrong unit is an error of the first response. No number extends a token's life beyond its own `iat` and `exp`.
    ///
    /// - Parameters:
    ///   - tokenKey: The key of the token. A dot separates the keys of nested objects.
    ///   - expiryKey: The key of the expiry, a number or its text; nil uses the token's claims.
    ///   - unit: The unit of the expiry.
    /// - Returns: The function.
    public static func json(
        token tokenKey: String = "token",
        expiry expiryKey: String? = "expiresInSeconds",
        unit: ExpiryUnit = .secondsFromNow
    ) -> @Sendable (Data) throws -> Token {
        { body in
            guard let object = JSON(body), object.isObject else {
                throw unexpected("The response is not a JSON object. Check that the URL is the token server's.")
            }
            guard let text = object[path: tokenKey]?.text, JWTTimes(text).isJWT else {
                throw unexpected(
                    "The response has no JWT under \(tokenKey). Set the token's key in the server's decode."
                )
            }
            guard let expiryKey else { return Token(text) }
            guard let number = object[path: expiryKey]?.number else {
                throw unexpected(
                    "The response has no number \(expiryKey). Set the expiry's key in the server's decode."
                )
            }
            guard let seconds = unit.plausibleSeconds(number) else {
                throw unexpected("\(expiryKey) is in another unit. Set the unit in the server's decode.")
            }
            return unit == .secondsFromNow
                ? Token(text, lifetime: seconds) : Token(text, expirationDate: Date(timeIntervalSince1970: seconds))
        }
    }

    private static func unexpected(_ message: String) -> TokenProviderError { .init(.unexpectedResponse, message) }
}

extension TokenServer.ExpiryUnit {
    /// Returns the number in seconds; nil if it is implausible for this unit.
    ///
    /// Tokens are valid for an hour, so more than a week from now, or a date before 2001 or after 5138, indicates another
    /// unit. Such a number is an error, which shows in the first test of an app, and not a token that is cached for years.
    fileprivate func plausibleSeconds(_ number: Double) -> TimeInterval? {
        switch self {
        case .secondsFromNow: number <= 7 * 86_400 ? number : nil
        case .secondsSince1970: (1e9...1e11).contains(number) ? number : nil
        case .millisecondsSince1970: (1e12...1e14).contains(number) ? number / 1000 : nil
        }
    }
}

/// A JSON value of a response.
enum JSON: Decodable {
    case object([String: JSON])
    case array([JSON])
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let object = try? container.decode([String: JSON].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }

    init?(_ body: Data) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: body) else { return nil }
        self = value
    }

    var isObject: Bool { if case .object = self { true } else { false } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// A number, also as text: some servers write 64-bit integers so.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The value under keys that dots separate.
    subscript(path path: String) -> JSON? {
        path.split(separator: ".").reduce(Optional(self)) { value, key in
            guard case .object(let members) = value else { return nil }
            return members[String(key)]
        }
    }
}
