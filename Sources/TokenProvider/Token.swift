public import Foundation

/// A token for Fleet Engine.
///
/// Its description and reflection don't show its text.
public struct Token: Sendable, Equatable {
    /// What is known of the expiry.
    enum Expiry: Sendable, Equatable {
        /// Only what the token itself says.
        case claims
        /// Seconds from the start of the fetch, or from the time of the response.
        case lifetime(TimeInterval)
        case date(Date)
    }

    /// The token as text, to be sent but not displayed.
    public let text: String
    /// When the token expires by this device's clock, as it was set when the token was fetched.
    ///
    /// It is for display. Don't compare it with the current time to decide whether to use the token, because clocks may be
    /// set: call the provider each time, which is cheap.
    public let expirationDate: Date
    let expiry: Expiry

    /// Creates a token with a lifetime in seconds from the start of its fetch.
    ///
    /// - Parameters:
    ///   - text: The JWT.
    ///   - lifetime: The lifetime; nil for the time that the JWT's `exp` and `iat` leave by this device's clock, or five
    ///     minutes if it has neither. Zero or less means that the token has expired, which is an error of the call.
    public init(_ text: String, lifetime: TimeInterval? = nil) {
        let claims = JWTTimes(text)
        let unknown = RemainingLifetime(claims, deviceClock: Date().timeIntervalSince1970).seconds
        self.init(
            text: text,
            expirationDate: Date(timeIntervalSinceNow: lifetime ?? unknown),
            expiry: lifetime.map { .lifetime($0) } ?? .claims
        )
    }

    /// Creates a token that expires at a date.
    public init(_ text: String, expirationDate: Date) {
        self.init(text: text, expirationDate: expirationDate, expiry: .date(expirationDate))
    }

    init(text: String, expirationDate: Date, expiry: Expiry) {
        self.text = text
        self.expirationDate = expirationDate
        self.expiry = expiry
    }

    /// Returns the remaining seconds of a token that a fetch returned.
    func lifetime(deviceClock: TimeInterval) -> TimeInterval {
        var remaining = RemainingLifetime(JWTTimes(text), deviceClock: deviceClock)
        switch expiry {
        case .claims: break
        case .lifetime(let seconds): remaining.secondsFromNow = seconds
        case .date(let date): remaining.expire(at: date.timeIntervalSince1970)
        }
        return remaining.seconds
    }

    func hasSameText(as other: Token) -> Bool { text.utf8.elementsEqual(other.text.utf8) }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// `Token(<redacted>)`.
    public var description: String { "Token(<redacted>)" }
    /// A mirror with the expiration date, for functions such as `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["expirationDate": expirationDate]) }
}
