import Foundation

/// A time during which nothing is fetched, by the continuous clock: a change of the date must not end it early.
struct Pause: Sendable {
    let until: TimeInterval
    /// The failure that caused it, for calls meanwhile.
    let error: TokenProviderError

    /// The pause after an error that waiting does not resolve, to which a backoff is added.
    static let afterPermanentError: TimeInterval = 30

    init(_ error: TokenProviderError, until: TimeInterval) {
        self.error = error
        self.until = until
    }

    /// Whether waiting does not help: the user or a developer must act.
    var isPermanent: Bool { error.remedy != .wait }

    /// Whether the device or its network caused it, and no response of the server.
    var isFromDevice: Bool { !isPermanent && error.httpStatus == nil && error.retryAfter == nil }

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

    /// Returns the pause of a scope after a number of failures in a row, in seconds.
    static func length(after error: TokenProviderError, failures: Int, random: Double) -> TimeInterval {
        let fixed = error.remedy == .wait ? delay(error.retryAfter ?? 0, random: random) : afterPermanentError
        return fixed + backoff(failures: failures, random: random)
    }
}
