import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long a token lives on, from all that an answer says about it.
///
/// A device's clock may be off by days. So the life is what the server measured itself, or the token's `exp` on the
/// clock that the server shows in `Date`, whichever is less: a server that hands out an old answer measures nothing.
/// Only where there is neither does the device's clock decide. It is never longer than the token's own `exp - iat`.
struct RemainingLifetime {
    /// What the server calls the seconds left.
    var secondsFromNow: TimeInterval?
    /// When the token expires, by the answer or by the token, whichever is earlier; in seconds since 1970.
    var expiresAt: TimeInterval?
    /// `iat`.
    var issuedAt: TimeInterval?
    /// What the server's clock showed.
    var serverClock: TimeInterval?
    /// What the device's clock shows.
    var deviceClock: TimeInterval
    /// How many seconds ago the answer was made, if a cache on the way kept it.
    var age: TimeInterval = 0

    /// What a token lives of which nothing is known at all: five minutes, which is what the SDKs want to have left.
    static let whenUnknown: TimeInterval = 300

    /// The seconds left; zero or less for a token that has expired.
    var seconds: TimeInterval {
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
