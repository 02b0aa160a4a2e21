/// Under which names a token server's JSON answer holds the token and its expiry, and how it counts time.
///
/// A wrong unit is noticed at the first answer, and no figure makes a token live longer than its own `iat` and `exp` say.
public struct TokenResponseFormat: Hashable, Sendable {
    /// The key of the token: a string, which is the JWT.
    public var tokenKey: String
    /// The key of the expiry; nil leaves it to the token's claims.
    public var expiryKey: String?
    /// How the expiry is written: a JSON number, with or without a fraction.
    public var expiryUnit: ExpiryUnit

    /// Creates a format.
    public init(tokenKey: String, expiryKey: String? = nil, expiryUnit: ExpiryUnit = .secondsFromNow) {
        self.tokenKey = tokenKey
        self.expiryKey = expiryKey
        self.expiryUnit = expiryUnit
    }
}

extension TokenResponseFormat {
    /// How a server writes when a token expires.
    ///
    /// Units may be added.
    @nonexhaustive public enum ExpiryUnit: Hashable, Sendable {
        /// Seconds from the moment of the answer.
        case secondsFromNow
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
    }
}

extension TokenResponseFormat {
    /// This project's `tokend`: `token` and `expiresInSeconds`.
    public static let fleetToken = Self(tokenKey: "token", expiryKey: "expiresInSeconds")

    /// The Consumer SDK guide's `TRIP_TOKEN_KEY` and `TOKEN_EXPIRATION`.
    ///
    /// - Parameter expiryUnit: The guide's Swift sample reads seconds since 1970, its Objective-C sample seconds from
    ///   now: say which of them your server was built for.
    /// - Returns: The format.
    public static func consumerGuide(_ expiryUnit: ExpiryUnit) -> Self {
        Self(tokenKey: "TRIP_TOKEN_KEY", expiryKey: "TOKEN_EXPIRATION", expiryUnit: expiryUnit)
    }

    /// The Driver SDK guide's `VEHICLE_TOKEN_KEY` and `TOKEN_EXPIRATION`.
    ///
    /// - Parameter expiryUnit: The guide's Objective-C sample reads seconds from now.
    /// - Returns: The format.
    public static func driverGuide(_ expiryUnit: ExpiryUnit = .secondsFromNow) -> Self {
        Self(tokenKey: "VEHICLE_TOKEN_KEY", expiryKey: "TOKEN_EXPIRATION", expiryUnit: expiryUnit)
    }

    /// The stub server of Google's on-demand samples: `jwt` and `expirationTimestamp` in milliseconds.
    public static let onDemandSample = Self(
        tokenKey: "jwt",
        expiryKey: "expirationTimestamp",
        expiryUnit: .millisecondsSince1970
    )

    /// The backend of Google's last-mile samples: `token` and `expiration_timestamp_ms` in milliseconds.
    public static let lastMileSample = Self(
        tokenKey: "token",
        expiryKey: "expiration_timestamp_ms",
        expiryUnit: .millisecondsSince1970
    )
}
