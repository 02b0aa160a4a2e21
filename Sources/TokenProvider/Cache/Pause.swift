import Foundation

/// A time during which nothing is fetched, by the continuous clock: a change of the date must not end it early.
struct Pause: Sendable {
    let until: TimeInterval
    /// The failure that caused it, for calls meanwhile.
    let error: TokenProviderError

    /// The pause after a refusal, to which a backoff is added: a retry can't succeed until the user or a developer acts.
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

    /// Returns the delay that a server asks for, with up to a fifth of jitter: it sends all clients the same `Retry-After`.
    static func delay(_ retryAfter: TimeInterval, random: Double) -> TimeInterval {
        retryAfter + random * retryAfter / 5
    }

    /// Returns the pause of a scope after a number of failures in a row, in seconds.
    static func length(after error: TokenProviderError, failures: Int, random: Double) -> TimeInterval {
        let fixed = error.remedy == .wait ? delay(error.retryAfter ?? 0, random: random) : afterRefusal
        return fixed + backoff(failures: failures, random: random)
    }
}

extension TokenProviderError {
    /// What pauses after a failure.
    enum Pausing: Hashable, Sendable {
        /// Nothing: nothing was sent.
        case nothing
        /// The scope, for less than a second: a device without a network has no server to protect.
        case scopeBriefly
        case scope
        case allScopes
    }

    var pausing: Pausing {
        if let pausingOverride { return pausingOverride }
        return switch code {
        // No user is signed in.
        case .unauthenticated where httpStatus == nil: .nothing
        case .offline, .insecureConnection: .scopeBriefly
        // A 502 or 504 with a delay pauses its scope only: a proxy sends it for one request.
        case .unavailable where retryAfter != nil && [nil, 503].contains(httpStatus): .allScopes
        // `tokend` limits callers: its 429 concerns all scopes of this one.
        case .resourceExhausted where retryAfter != nil: .allScopes
        default: .scope
        }
    }
}
