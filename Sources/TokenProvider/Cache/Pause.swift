import Foundation

/// A cooldown that runs: no fetch starts until it ends, by the continuous clock.
///
/// A change of the date must not end it early.
struct Pause: Sendable {
    let until: TimeInterval
    /// The failure that caused it, for calls meanwhile.
    let error: TokenProviderError

    init(_ error: TokenProviderError, until: TimeInterval) {
        self.error = error
        self.until = until
    }

    func isOver(at now: Moment) -> Bool { now.continuous >= until }

    /// Returns the pause after a number of failures in a row: from half a second, doubling up to half a minute.
    ///
    /// Half of it is fixed, which bounds the rate of fetches. The other half is random, which spreads clients.
    static func backoff(failures: Int, random: Double) -> TimeInterval {
        let step = min(30, 0.5 * pow(2, TimeInterval(min(max(failures - 1, 0), 60))))
        return step / 2 + random * step / 2
    }

    /// Returns the delay that a server asks for, with up to a fifth of jitter: it sends all clients the same `Retry-After`.
    static func delay(_ retryAfter: TimeInterval, random: Double) -> TimeInterval {
        retryAfter + random * retryAfter / 5
    }
}
