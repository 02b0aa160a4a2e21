import Foundation

/// Computes the remaining lifetime of a token from all information in a response.
///
/// A device's clock may be off by days. So the lifetime is the number of seconds in the response, or the time from the
/// server's `Date` to the token's `exp`, whichever is less: a server that returns an old response reports an outdated number.
/// Only if both are missing, the device's clock is used. The lifetime is never longer than the token's own `exp - iat`.
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

    mutating func expire(at date: TimeInterval) { expiresAt = min(expiresAt ?? date, date) }

    private func difference(_ later: TimeInterval?, _ earlier: TimeInterval?) -> TimeInterval? {
        guard let later, let earlier else { return nil }
        return later - earlier
    }
}

extension RemainingLifetime {
    /// Creates a computation with the times of a token.
    init(_ times: JWTTimes, deviceClock: TimeInterval) {
        self.init(expiresAt: times.expiresAt, issuedAt: times.issuedAt, deviceClock: deviceClock)
    }
}

/// The times of a JWT; Fleet Engine verifies its signature and its other claims.
struct JWTTimes {
    /// Whether the text has the form of a JWT.
    let isJWT: Bool
    /// `exp`, in seconds since 1970.
    let expiresAt: TimeInterval?
    /// `iat`, in seconds since 1970.
    let issuedAt: TimeInterval?

    init(_ token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let decoded = parts.compactMap { Self.base64URLDecoded($0) }
        // All three parts are checked, because the token is sent in the SDKs' request headers unchanged.
        let isSigned = parts.count == 3 && decoded.count == 3 && decoded.allSatisfy { !$0.isEmpty }
        let claims = isSigned ? JSON(decoded[1]) : nil
        isJWT = claims?.isObject == true
        expiresAt = claims?[path: "exp"]?.date
        issuedAt = claims?[path: "iat"]?.date
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

extension JSON {
    /// A date that arithmetic can be done with.
    fileprivate var date: TimeInterval? {
        guard case .number(let number) = self, abs(number) < 1e15 else { return nil }
        return number.rounded(.down)
    }
}
