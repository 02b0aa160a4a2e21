import FleetToken
package import ServiceSupport
import TokenMinting

/// The rate limits of callers, and of addresses whose requests fail before authentication.
///
/// Within a limit each refusal is recorded. Past it refusals are only counted, and few are logged: otherwise an attacker
/// could fill the disk that every caller's audit line needs. ``StrangerBudget`` bounds attackers with many addresses.
package final class CallerLimits: Sendable {
    /// The limit of each person, or of all callers.
    package let callers: RateLimit?
    package let machines: RateLimit?
    /// The limit of each address for requests that fail before authentication.
    package let addresses: RateLimit?
    /// The verification budget of each address past its limit.
    package let verifications: RateLimiter
    /// Bounds what all addresses together cause; nil for no bounds.
    package let strangers: StrangerBudget?
    /// Counts unrecorded refusals; nil for none.
    let tally: RefusalTally?
    /// Counts requests told to wait; nil where nothing is counted.
    let metrics: LimitMetrics?
    let clock: ServiceClock

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - callers: The limit of each person, or of all callers.
    ///   - machines: The limit of each machine; nil where it is that of all callers.
    ///   - addresses: The limit of each address for requests that fail before authentication.
    ///   - verifications: The verification budget of each address past its limit.
    ///   - strangers: What all addresses together may cause; nil for no bound.
    ///   - tally: Counts unrecorded refusals; nil for none.
    ///   - metrics: Counts requests told to wait; nil for none.
    ///   - clock: The time.
    package init(
        callers: RateLimit?,
        machines: RateLimit? = nil,
        addresses: RateLimit?,
        verifications: RateLimiter = RateLimiter(CallerLimits.verificationRate),
        strangers: StrangerBudget? = nil,
        tally: RefusalTally? = nil,
        metrics: LimitMetrics? = nil,
        clock: ServiceClock
    ) {
        self.callers = callers
        self.machines = machines ?? callers
        self.addresses = addresses
        self.verifications = verifications
        self.strangers = strangers
        self.tally = tally
        self.metrics = metrics
        self.clock = clock
    }

    /// The verification budget of an address past its limit: 200 tokens a second.
    ///
    /// It lets a caller with a new token in during a flood of forged ones. At 0.1 ms per signature it costs two
    /// hundredths of a core.
    package static let verificationRate = LimitsConfiguration.Rate(perMinute: 12_000, burst: 200)

    /// No limits: for development.
    package static let none = CallerLimits(callers: nil, addresses: nil, clock: .system)

    /// Returns the remaining cost that an address may cause before authentication.
    func allowance(of address: String) -> AddressAllowance {
        AddressAllowance(address: address, limits: self)
    }

    /// Charges a failure before authentication to its address.
    ///
    /// Only failures count, and only failures are refused, so that callers behind one address don't limit each other: a
    /// flood of guesses from behind a proxy, or from a network's one address, must not lock out all others there.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - address: The address.
    /// - Returns: The refusal: of the failure, or of too many requests past the address's limit. Past that, or past the
    ///   limits of many addresses, it is counted.
    func charge(_ error: any Error, to address: String) async -> Refusal {
        let failed = Refusal(error)
        let network = AddressRange.network(of: address)
        guard let seconds = await addresses?.charge(network, now: clock.monotonic) else {
            return isUnrecorded(failed, address) ? failed.recorded(.counted(isLogged: false)) : failed
        }
        metrics?.limitedAddress()
        var limited = limited(seconds, .address(network), by: addresses)
        if limited.record.isLogged, strangers?.takeLine(now: clock.monotonic) == false {
            limited = limited.recorded(.counted(isLogged: false))
        }
        // An app renews an expired token only after a 401.
        return failed.failure?.code == .expired ? Refusal(failed.error, record: limited.record) : limited
    }

    /// Takes one request from a caller's bucket.
    ///
    /// - Throws: ``Refusal`` when it is empty.
    package func admit(_ caller: Caller) async throws {
        let limit = caller.isMachine ? machines : callers
        guard let seconds = await limit?.take(caller.bucket, now: clock.monotonic) else { return }
        metrics?.limitedCaller(caller.name)
        throw limited(seconds, RefusalOrigin(caller), by: limit)
    }

    /// Counts a request that may not wait for its signature, or whose client has gone while it waited.
    ///
    /// It is not recorded individually: a line, and waiting for it, would take time that signatures need.
    ///
    /// - Returns: The error to respond with; another error is unchanged.
    func counted(_ error: any Error, of caller: Caller) -> any Error {
        if error is CancellationError { metrics?.refused(caller.name, .clientGone) }
        guard let refusal = error as? AdmissionRefusal else { return error }
        metrics?.refused(caller.name, RefusalCauseLabel(refusal.cause))
        guard let tally else { return refusal.error }
        let isListed = tally.add(RefusalOrigin(caller), .overloaded)
        return Refusal(refusal.error, record: .counted(isLogged: isListed))
    }

    /// Counts a failure if it is past the limits of many addresses.
    ///
    /// - Returns: Whether it was counted.
    private func isUnrecorded(_ failed: Refusal, _ address: String) -> Bool {
        guard let tally, let excess = strangers?.takeLine(for: address, now: clock.monotonic) else { return false }
        let origin: RefusalOrigin =
            switch excess {
            case .region(let region): .address(region)
            case .all: .others
            }
        _ = tally.add(origin, failed.error.reason)
        return true
    }

    private func limited(_ seconds: Int, _ origin: RefusalOrigin, by limit: RateLimit?) -> Refusal {
        let isListed = tally?.add(origin, .rateLimited) ?? false
        let error = TokenError(
            .rateLimited,
            "Too many requests. Retry after the number of seconds in Retry-After.",
            retryAfter: seconds
        )
        return Refusal(error, record: .counted(isLogged: isListed), limit: limit?.setting)
    }
}

/// The remaining cost that an address may cause before authentication.
package struct AddressAllowance: Sendable {
    let address: String
    private let limits: CallerLimits

    init(address: String, limits: CallerLimits) {
        self.address = address
        self.limits = limits
    }

    /// The key for charging: all addresses of an IPv6 network, because one client controls them all.
    var network: String { AddressRange.network(of: address) }

    /// Uses one verification of a token, which may cost a signature verification and a wait for keys.
    ///
    /// - Returns: Whether there was one; within the limits of the address, of its larger network and of all addresses
    ///   together there always is.
    func takesVerification() -> Bool {
        let (network, now) = (network, limits.clock.monotonic)
        var isExceeded = limits.addresses?.wait(for: network, now: now) != nil
        if isExceeded, limits.verifications.take(network, now: now) != nil { return false }
        guard let strangers = limits.strangers else { return true }
        let region = AddressRange.region(of: address)
        isExceeded = isExceeded || strangers.isExceeded(by: region, now: now)
        if isExceeded, limits.verifications.take(region, now: now) != nil { return false }
        return strangers.takeVerification(isExceeded: isExceeded, now: now)
    }
}
