import Foundation

/// A time during which nothing is fetched, by the continuous clock: a change of the date must not end it early.
struct Pause: Sendable {
    let until: TimeInterval
    /// The failure that caused it, for calls meanwhile.
    let error: TokenProviderError

    /// The pause after a denial, before its backoff.
    ///
    /// A retry can't succeed until the user or a developer acts.
    static let afterRefusal: TimeInterval = 30

    init(_ error: TokenProviderError, until: TimeInterval) {
        self.error = error
        self.until = until
    }

    /// Whether it concerns the user who is signed in, or this app's request.
    var isRefusal: Bool { error.remedy != .wait }

    /// Whether the device or its network caused it, and no response of the server.
    var isFromDevice: Bool { !isRefusal && error.httpStatus == nil && error.retryAfter == nil }

    func isOver(at now: Moment) -> Bool { now.continuous >= until }

    /// Returns the pause after a number of failures in a row: from half a second, doubling up to half a minute.
    ///
    /// Half of it is fixed, which bounds the rate of fetches. The other half is random, which spreads clients.
    static func backoff(failures: Int, random: Double) -> TimeInterval {
        let step = min(30, 0.5 * pow(2, TimeInterval(min(max(failures - 1, 0), 60))))
        return step / 2 + random * step / 2
    }

    /// Returns the pause of a scope after a failure, in seconds.
    static func length(after error: TokenProviderError, backoff: TimeInterval) -> TimeInterval {
        guard error.remedy == .wait else { return afterRefusal + backoff }
        return max(backoff, min(backoff + (error.retryAfter ?? 0), RetryAfter.maximum))
    }
}

extension TokenProviderError {
    /// What pauses after a failure.
    enum Extent {
        /// Nothing: no user is signed in, so nothing was sent.
        case nothing
        /// The scope, for less than a second: a device without a network has no server to protect.
        case scopeBriefly
        case scope
        /// All scopes.
        case server
    }

    var extent: Extent {
        switch code {
        case .unauthenticated where httpStatus == nil: .nothing
        case .offline, .insecureConnection: .scopeBriefly
        case .unavailable where isRefusedConnection: .server
        // A 502 or 504 with a delay may concern one scope only.
        case .unavailable where retryAfter != nil && [nil, 503].contains(httpStatus): .server
        // `tokend` limits callers: its 429 concerns all scopes of this one.
        case .resourceExhausted where retryAfter != nil: .server
        default: .scope
        }
    }
}
