import FleetToken
package import ServiceSupport
import TokenMinting

/// The rate limits of callers, and of addresses whose requests fail before authentication.
///
/// Within a limit each refusal is recorded. Past it refusals are only counted, and few are logged (``RefusalRule``): otherwise
/// an attacker could fill the disk that every caller's audit line needs. ``StrangerBudget`` bounds attackers with many addresses.
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

    /// Creates limits; without one for machines, that of all callers is theirs.
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

    /// Takes one request from a caller's bucket.
    ///
    /// - Throws: ``Refusal`` when it is empty.
    package func admit(_ caller: Caller) async throws {
        let limit = caller.isApp ? callers : machines
        guard let seconds = await limit?.take(caller.bucket, now: clock.monotonic) else { return }
        metrics?.limited(caller.name)
        throw Refusal(TokenError.tooManyRequests(retryAfter: seconds), .overCallerLimit, limit: limit?.setting)
    }

    /// Charges and counts a refusal as its rule says.
    ///
    /// - Returns: The refusal; past a limit for its address, with the rule of that limit.
    func settle(_ refusal: Refusal, of caller: Caller?, at address: String) async -> Refusal {
        var (refusal, origin) =
            refusal.rule.charged == .address ? await charge(refusal, to: address) : (refusal, nil as RefusalOrigin?)
        guard refusal.rule.audit == .count else { return refusal }
        origin = origin ?? caller.map { .caller($0.method, name: $0.name, subject: $0.subject) }
        refusal.isListed = count(refusal, of: origin ?? .others)
        return refusal
    }

    /// Charges a failure before authentication to its address.
    ///
    /// Only failures count, and only failures are refused, so that callers behind one address don't limit each other: a
    /// flood of guesses from behind a proxy, or from a network's one address, must not lock out all others there.
    ///
    /// - Returns: The refusal, of too many requests if the address is past its limit; and whose count it is, if it is counted.
    private func charge(_ refusal: Refusal, to address: String) async -> (Refusal, RefusalOrigin?) {
        let network = AddressRange.network(of: address)
        if let seconds = await addresses?.charge(network, now: clock.monotonic) {
            metrics?.limited(nil)
            // An app renews an expired token only after a 401.
            let error = refusal.failure?.code == .expired ? refusal.error : .tooManyRequests(retryAfter: seconds)
            return (Refusal(error, .overAddressLimit, limit: addresses?.setting), .address(network))
        }
        guard let excess = strangers?.takeLine(for: address, now: clock.monotonic) else {
            return (refusal, .address(network))
        }
        var refusal = refusal
        refusal.rule = .overTotalLimit
        return (refusal, excess)
    }

    /// Counts a refusal that has no line of its own in the audit trail.
    ///
    /// - Returns: Whether it is one of the first few of its origin, which the access log lists.
    private func count(_ refusal: Refusal, of origin: RefusalOrigin) -> Bool {
        let isOfAddress = refusal.rule == .overAddressLimit
        let isListed = tally?.add(origin, isOfAddress ? .rateLimited : refusal.error.reason) ?? true
        // What all addresses cause in the log is bounded, too.
        return isListed && (!isOfAddress || strangers?.takeLine(now: clock.monotonic) ?? true)
    }

    /// Counts, in metrics, a request that may not wait for its signature, or whose client has gone while it waited.
    func note(_ error: any Error, of caller: Caller) {
        if error is CancellationError { metrics?.refused(caller.name, .clientGone) }
        if let refusal = error as? AdmissionRefusal {
            metrics?.refused(caller.name, refusal.cause == .queueSize ? .queueSize : .queueDelay)
        }
    }
}

/// The remaining cost that an address may cause before authentication.
package struct AddressAllowance: Sendable {
    let address: String
    let limits: CallerLimits

    /// Uses one verification of a token, which may cost a signature verification and a wait for keys.
    ///
    /// - Returns: Whether there was one; within the limits of the address, of its larger network and of all addresses
    ///   together there always is.
    func takesVerification() -> Bool {
        // All addresses of an IPv6 network are charged together, because one client controls them all.
        let (network, now) = (AddressRange.network(of: address), limits.clock.monotonic)
        var isExceeded = limits.addresses?.local.wait(for: network, now: now) != nil
        if isExceeded, limits.verifications.take(network, now: now) != nil { return false }
        guard let strangers = limits.strangers else { return true }
        let region = AddressRange.region(of: address)
        isExceeded = isExceeded || strangers.isExceeded(by: region, now: now)
        if isExceeded, limits.verifications.take(region, now: now) != nil { return false }
        return strangers.takeVerification(isExceeded: isExceeded, now: now)
    }
}
