import Foundation

/// What is known of one scope: one token, one fetch, one pause.
struct ScopeState: Sendable {
    /// A running fetch.
    struct Flight: Sendable {
        let id: Int
        let start: Moment
        /// Whether it repeats one that was interrupted.
        let isRepeat: Bool
        /// The numbers of the calls that wait for it.
        var calls: Set<Int>
    }

    var kept: KeptToken?
    var flight: Flight?
    private(set) var pause: Pause?
    /// Whether the last token was rejected and none has arrived since.
    private(set) var mustBeNew = false
    /// Failed fetches in a row.
    private var failures = 0
    /// Tokens in a row that were rejected soon after they arrived.
    private var rejections = 0
    /// Refusals that ended because the credentials changed, since the last token arrived.
    private var endedRefusals = 0

    /// The seconds after a token replaced another during which reports that name no token concern the old one.
    static let grace: TimeInterval = 5

    /// Whether nothing would be lost by forgetting the scope.
    func isIdle(at now: Moment) -> Bool {
        flight == nil && kept?.isUsable(at: now) != true && pause?.isOver(at: now) != false
    }

    mutating func noteSuccess(_ kept: KeptToken) {
        self.kept = kept
        mustBeNew = false
        failures = 0
        endedRefusals = 0
    }

    mutating func noteFailure(_ error: TokenProviderError, at now: Moment, random: Double) {
        switch error.extent {
        case .nothing: return
        case .scopeBriefly: begin(Pause(error, until: now.continuous + Pause.backoff(failures: 1, random: random)))
        case .scope, .server:
            failures += 1
            let backoff = Pause.backoff(failures: failures, random: random)
            begin(Pause(error, until: now.continuous + Pause.length(after: error, backoff: backoff)))
        }
    }

    /// Drops the token after it was rejected, if the report concerns it.
    ///
    /// A first rejected token is replaced at once. If new tokens are rejected as well, fetching pauses.
    ///
    /// - Returns: Whether the token was dropped.
    mutating func reject(_ rejected: Token?, at now: Moment, random: Double) -> Bool {
        guard let kept else { return false }
        let age = now.continuous - kept.arrived
        if let rejected {
            guard kept.token.hasSameText(as: rejected) else { return false }
        } else if kept.replacesAnother, age < Self.grace {
            return false
        }
        self.kept = nil
        mustBeNew = true
        rejections = age < 30 ? rejections + 1 : 1
        if rejections > 1 {
            let error = TokenProviderError(
                .tokenRejected,
                "Fleet Engine rejects new tokens too. Check the server's keys, clock and claims."
            )
            begin(Pause(error, until: now.continuous + Pause.backoff(failures: rejections - 1, random: random)))
        }
        return true
    }

    /// Drops what belongs to the last credentials.
    ///
    /// A pause that protects the server remains. A refusal ends twice in a row. After that a growing part of it remains, or changing the credentials after each refusal
    /// would allow requests without end.
    mutating func changeCredentials(at now: Moment, random: Double) {
        kept = nil
        mustBeNew = false
        rejections = 0
        guard let pause, pause.isRefusal, !pause.isOver(at: now) else { return }
        endedRefusals += 1
        if endedRefusals <= 2 {
            self.pause = nil
            failures = 0
        } else {
            self.pause?.shorten(to: now.continuous + Pause.backoff(failures: endedRefusals - 2, random: random))
        }
    }

    mutating func retryNow() {
        if pause?.isFromDevice == true { pause = nil }
    }

    private mutating func begin(_ new: Pause) {
        if new.until > pause?.until ?? -.infinity { pause = new }
    }
}
