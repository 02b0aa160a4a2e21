import FleetToken
import Foundation
import StrictCoding

/// The JSON keys under which a token server's response contains the token and its expiry, and the unit of time.
///
/// A wrong unit is detected at the first response, and no number extends a token's life beyond its own `iat` and `exp`.
public struct TokenResponseFormat: Hashable, Sendable {
    /// The key of the token: a string with the JWT.
    public var tokenKey: String
    /// The key of the expiry; nil uses the token's claims.
    public var expiryKey: String?
    /// The unit of the expiry: a JSON number, with or without a fraction.
    public var expiryUnit: TokenExpiryUnit

    /// Creates a format.
    public init(tokenKey: String, expiryKey: String? = nil, expiryUnit: TokenExpiryUnit = .secondsFromNow) {
        self.tokenKey = tokenKey
        self.expiryKey = expiryKey
        self.expiryUnit = expiryUnit
    }
}

extension TokenResponseFormat {
    /// The format of this project's `tokend`: `token` and `expiresInSeconds`.
    public static let fleetToken = Self(tokenKey: "token", expiryKey: "expiresInSeconds")

    /// Returns the format of the Consumer SDK guide: `TRIP_TOKEN_KEY` and `TOKEN_EXPIRATION`.
    ///
    /// - Parameter expiryUnit: The unit that your server writes. The guide's Swift sample reads seconds since 1970, its
    ///   Objective-C sample seconds from now.
    /// - Returns: The format.
    public static func consumerGuide(_ expiryUnit: TokenExpiryUnit) -> Self {
        Self(tokenKey: "TRIP_TOKEN_KEY", expiryKey: "TOKEN_EXPIRATION", expiryUnit: expiryUnit)
    }

    /// Returns the format of the Driver SDK guide: `VEHICLE_TOKEN_KEY` and `TOKEN_EXPIRATION`.
    ///
    /// - Parameter expiryUnit: The unit that your server writes. The guide's Objective-C sample reads seconds from now.
    /// - Returns: The format.
    public static func driverGuide(_ expiryUnit: TokenExpiryUnit = .secondsFromNow) -> Self {
        Self(tokenKey: "VEHICLE_TOKEN_KEY", expiryKey: "TOKEN_EXPIRATION", expiryUnit: expiryUnit)
    }

    /// The format of the stub server in Google's on-demand samples: `jwt` and `expirationTimestamp` in milliseconds.
    public static let onDemandSample = Self(
        tokenKey: "jwt",
        expiryKey: "expirationTimestamp",
        expiryUnit: .millisecondsSince1970
    )

    /// The format of the backend in Google's last-mile samples: `token` and `expiration_timestamp_ms` in milliseconds.
    public static let lastMileSample = Self(
        tokenKey: "token",
        expiryKey: "expiration_timestamp_ms",
        expiryUnit: .millisecondsSince1970
    )
}

extension TokenResponseFormat {
    /// The values in a response, not yet compared with the token itself.
    struct Reading {
        /// The token.
        var token: Secret
        /// The remaining lifetime, in seconds.
        var secondsFromNow: TimeInterval?
        /// When it expires, in seconds since 1970.
        var secondsSince1970: TimeInterval?
    }

    /// Reads a body.
    ///
    /// - Throws: ``TokenProviderError`` with code ``TokenErrorCode/unexpectedResponse``, which names keys of
    ///   this format and nothing of the body.
    func read(_ body: [UInt8]) throws(TokenProviderError) -> Reading {
        guard let object = (try? JSONParser.parse(body))?.objectValue else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response is not a JSON object. Check that the URL is the token server's."
            )
        }
        guard let token = object[tokenKey]?.stringValue else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response has no string \(tokenKey). Choose the server's TokenResponseFormat."
            )
        }
        var reading = Reading(token: Secret(token))
        guard let expiryKey else { return reading }
        guard let expiry = object[expiryKey]?.number else {
            throw TokenProviderError(
                .unexpectedResponse,
                "The response has no number \(expiryKey). Choose the server's TokenResponseFormat."
            )
        }
        guard let seconds = expiryUnit.plausibleSeconds(expiry) else {
            throw TokenProviderError(
                .unexpectedResponse,
                "\(expiryKey) is in a different unit than the TokenResponseFormat's expiryUnit. Choose the right one."
            )
        }
        if expiryUnit == .secondsFromNow {
            reading.secondsFromNow = seconds
        } else {
            reading.secondsSince1970 = seconds
        }
        return reading
    }
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
