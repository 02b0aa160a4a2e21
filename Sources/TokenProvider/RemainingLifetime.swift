import Foundation

/// The remaining lifetime of a token, from all that the token and its response say.
///
/// A device's clock may be off by days. So the lifetime is the number of seconds in the response, or the time from the
/// server's `Date` to the token's `exp`, whichever is less: a server that returns an old response reports an outdated number.
/// Only if both are missing, the device's clock is used. The lifetime is never longer than the token's own `exp - iat`.
struct RemainingLifetime: Sendable {
    /// The remaining number of seconds in the response.
    var secondsFromNow: TimeInterval?
    /// When the token expires, by the response or by the token, whichever is earlier; in seconds since 1970.
    var expiresAt: TimeInterval?
    /// `iat`.
    var issuedAt: TimeInterval?
    /// The time on the server's clock.
    var serverClock: TimeInterval?
    /// How many seconds ago the response was created, if an intermediate cache kept it.
    var age: TimeInterval = 0

    /// The lifetime of a token without any time information: five minutes, the minimum that the SDKs require.
    static let whenUnknown: TimeInterval = 300

    /// Returns the remaining number of seconds at a time on the device's clock; zero or less for an expired token.
    func seconds(deviceClock: TimeInterval) -> TimeInterval {
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
