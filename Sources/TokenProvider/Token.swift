public import Foundation

/// A token for Fleet Engine.
///
/// Its description and reflection don't show its text.
public struct Token: Sendable {
    /// The token as text, to be sent but not displayed.
    public let text: String
    /// What is known of the token's life.
    var lifetime: RemainingLifetime
    /// Whether the text has the form of a JWT; Fleet Engine verifies its signature and its claims.
    let isJWT: Bool
    /// The time on this device's clock from which the lifetime counts, in seconds since 1970.
    private let start: TimeInterval

    /// Creates a token with a lifetime in seconds from the start of its fetch.
    ///
    /// - Parameters:
    ///   - text: The JWT.
    ///   - lifetime: The lifetime; nil for the time that the JWT's `exp` and `iat` leave by this device's clock, or five
    ///     minutes if it has neither. Zero or less means that the token has expired, which is an error of the call.
    public init(_ text: String, lifetime: TimeInterval? = nil) {
        let claims = Self.claims(in: text)
        self.text = text
        isJWT = claims != nil
        start = Date().timeIntervalSince1970
        self.lifetime = RemainingLifetime(
            secondsFromNow: lifetime,
            expiresAt: claims?[path: "exp"]?.date,
            issuedAt: claims?[path: "iat"]?.date
        )
    }

    /// Creates a token with its lifetime by the device's clock alone: another provider's closure may return it later.
    init(_ token: Token, lifetime: TimeInterval, start: TimeInterval) {
        (text, isJWT, self.start) = (token.text, token.isJWT, start)
        self.lifetime = RemainingLifetime(expiresAt: start + lifetime, issuedAt: start)
    }

    /// When the token expires by this device's clock, as it was set when the token was fetched.
    ///
    /// It is for display. Don't compare it with the current time to decide whether to use the token, because clocks may be
    /// set: call the provider each time, which is cheap.
    public var expirationDate: Date {
        Date(timeIntervalSince1970: start + lifetime.seconds(deviceClock: start))
    }

    func hasSameText(as other: Token) -> Bool { text.utf8.elementsEqual(other.text.utf8) }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// `Token(<redacted>)`.
    public var description: String { "Token(<redacted>)" }
    /// A mirror with the expiration date, for functions such as `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["expirationDate": expirationDate]) }
}

// MARK: - The JWT

extension Token {
    /// Returns the claims of a JWT; nil for another text.
    private static func claims(in text: String) -> JSON? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // All three parts are checked, because the token is sent in the SDKs' request headers unchanged.
        let decoded = parts.compactMap { base64URLDecoded($0) }.filter { !$0.isEmpty }
        guard parts.count == 3, decoded.count == 3, let claims = JSON(decoded[1]), claims.isObject else { return nil }
        return claims
    }

    private static func base64URLDecoded(_ text: Substring.UTF8View.SubSequence) -> Data? {
        var base64: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: base64.append(byte)
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(base64))
    }
}
