import Foundation

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

/// The unit of a token's expiry in a response; in Objective-C its name is `FTExpiryUnit`.
///
/// Units may be added.
#if canImport(ObjectiveC)
@objc(FTExpiryUnit)
#endif
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TokenExpiryUnit: Int, Sendable {
    /// Seconds from the time of the response.
    case secondsFromNow
    /// Seconds since 1970-01-01T00:00:00Z.
    case secondsSince1970
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case millisecondsSince1970
}
