import FleetToken
package import ServiceSupport

/// The rate limits of callers, and of addresses whose requests fail before authentication.
///
/// Past a limit refusals are counted in metrics and not recorded (``Refusal/consequences``): otherwise an attacker could fill the disk
/// that every caller's audit line needs. For the same reason all clients without valid credentials share a number of lines.
package final class CallerLimits: Sendable {
    /// The rate of log and audit lines for all unauthenticated clients together: 50 a second, or 200 at once.
    package static let lineRate = LimitsConfiguration.Rate(perMinute: 3_000, burst: 200)
    /// The rate of log lines for all clients past a limit together.
    static let limitedRate = LimitsConfiguration.Rate(perMinute: 10, burst: 10)

    /// The limit of each user.
    package let users: RateLimiter?
    /// The limit of each client.
    package let clients: RateLimiter?
    /// The limit of each address for requests that fail before authentication.
    package let addresses: RateLimiter?
    private let sharedLines: RateLimiter
    private let limitedLines = RateLimiter(CallerLimits.limitedRate)
    let clock: ServiceClock

    /// Creates limits; without one for clients, that of users is theirs.
    package init(
        users: RateLimiter?,
        clients: RateLimiter? = nil,
        addresses: RateLimiter?,
        lines: LimitsConfiguration.Rate = CallerLimits.lineRate,
        clock: ServiceClock
    ) {
        self.users = users
        self.clients = clients ?? users
        self.addresses = addresses
        sharedLines = RateLimiter(lines)
        self.clock = clock
    }

    /// No limits: for development.
    package static let none = CallerLimits(users: nil, addresses: nil, clock: .system)

    /// Takes one request from a caller's bucket.
    ///
    /// - Throws: ``Refusal`` when it is empty.
    package func admit(_ caller: Caller) throws(Refusal) {
        let limit = caller.rateLimit == .perUser ? users : clients
        guard let seconds = limit?.take(caller.bucket, now: clock.monotonic) else { return }
        throw .overCallerLimit(setting: limit?.setting, retryAfter: seconds)
    }

    /// Charges a refusal, and counts its lines, as ``Refusal/consequences`` says.
    ///
    /// - Returns: The refusal; past a limit for its address, that of the limit. And whether it has lines.
    func charge(_ refusal: Refusal, to address: String) -> (Refusal, isRecorded: Bool) {
        let refusal = refusal.consequences.chargesAddress ? chargeAddress(address, for: refusal) : refusal
        let isRecorded =
            switch refusal.consequences.lines {
            case .all: true
            case .shared: sharedLines.take("", now: clock.monotonic) == nil
            case .limited: limitedLines.take("", now: clock.monotonic) == nil
            case .none: false
            }
        return (refusal, isRecorded)
    }

    /// Charges a failure before authentication to its address.
    ///
    /// Only failures count, and only failures are refused, so that callers behind one address don't limit each other: a
    /// flood of guesses from behind a proxy, or from a network's one address, must not lock out all others there.
    private func chargeAddress(_ address: String, for refusal: Refusal) -> Refusal {
        let network = AddressRange.network(of: address)
        guard let seconds = addresses?.take(network, now: clock.monotonic) else { return refusal }
        let expired = refusal.failure.flatMap { $0.code == .expired ? $0 : nil }
        return .overAddressLimit(setting: addresses?.setting, retryAfter: seconds, expired: expired)
    }
}
