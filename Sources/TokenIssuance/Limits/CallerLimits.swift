package import FleetToken
package import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenMinting

/// The rate limits of callers, and of addresses whose requests fail before authentication.
///
/// Within a limit each refusal is recorded. Past it refusals are only counted, and few are logged: otherwise an attacker
/// could fill the disk that every caller's audit line needs. ``StrangerBudget`` bounds attackers with many addresses.
///
/// A class, for the same reason as ``IssuancePipeline``.
package final class CallerLimits: Sendable {
    /// The limit of each person, or of all callers.
    package let callers: RateLimit?
    /// The limit of each machine.
    package let machines: RateLimit?
    /// The limit of each address for requests that fail before authentication.
    package let addresses: RateLimit?
    /// Tokens that are examined of each address past its limit.
    package let examinations: RateLimiter
    /// Bounds what all addresses together cause; nil for no bounds.
    package let strangers: StrangerBudget?
    /// Counts unrecorded refusals; nil for none.
    let tally: RefusalTally?
    /// Counts requests told to wait; nil where nothing is counted.
    let metrics: LimitMetrics?
    /// A clock that only goes forward, in nanoseconds.
    let clock: @Sendable () -> Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - callers: The limit of each person, or of all callers.
    ///   - machines: The limit of each machine; nil where it is that of all callers.
    ///   - addresses: The limit of each address for requests that fail before authentication.
    ///   - examinations: Tokens that are examined of each address past its limit.
    ///   - strangers: What all addresses together may cause; nil for no bound.
    ///   - tally: Counts unrecorded refusals; nil for none.
    ///   - metrics: Counts requests told to wait; nil for none.
    ///   - clock: A clock that only goes forward, in nanoseconds.
    package init(
        callers: RateLimit?,
        machines: RateLimit? = nil,
        addresses: RateLimit?,
        examinations: RateLimiter = RateLimiter(CallerLimits.examinationRate),
        strangers: StrangerBudget? = nil,
        tally: RefusalTally? = nil,
        metrics: LimitMetrics? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.callers = callers
        self.machines = machines ?? callers
        self.addresses = addresses
        self.examinations = examinations
        self.strangers = strangers
        self.tally = tally
        self.metrics = metrics
        self.clock = clock
    }

    /// The tokens that an address past its limit may still have examined: 200 a second.
    ///
    /// It lets a caller with a new token in during a flood of forged ones. At 0.1 ms per signature it costs two
    /// hundredths of a core.
    package static let examinationRate = LimitsConfiguration.Rate(perMinute: 12_000, burst: 200)

    /// No limits: for development.
    package static let none = CallerLimits(callers: nil, addresses: nil, clock: { 0 })

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
    ///   - failure: The failure.
    ///   - address: The address.
    /// - Returns: The error to respond with: the failure; past the address's limit a ``LimitedRefusal``, and past those
    ///   of many addresses an ``UnrecordedRefusal``.
    func charge(_ failure: any Error, to address: String) async -> any Error {
        let network = AddressRange.network(of: address)
        guard let seconds = await addresses?.charge(network, now: clock()) else {
            return unrecorded(failure, address) ?? failure
        }
        metrics?.limitedAddress()
        var error = limited(seconds, .address(network), addresses)
        if error.isListed, strangers?.takeLine(now: clock()) == false { error.isListed = false }
        // An app renews an expired token only after a 401.
        if let failure = failure as? AuthenticationFailure, failure.code == .expired {
            return LimitedRefusal(refusal: failure.refusal, isListed: error.isListed)
        }
        return error
    }

    /// Takes one request from a caller's bucket.
    ///
    /// - Throws: ``LimitedRefusal`` when it is empty.
    package func admit(_ caller: Caller) async throws {
        let limit = caller.isMachine ? machines : callers
        guard let seconds = await limit?.take(caller.bucket, now: clock()) else { return }
        metrics?.limitedCaller(caller.name)
        throw limited(seconds, RefusedParty(caller), limit)
    }

    /// Counts a request that may not wait for its signature, or whose client has gone while it waited.
    ///
    /// It is not recorded individually: a line, and waiting for it, would take time that signatures need.
    ///
    /// - Returns: The error to respond with; another error is unchanged.
    @inline(never)
    func counted(_ error: any Error, of caller: Caller) -> any Error {
        if error is CancellationError { metrics?.refused(caller.name, .clientGone) }
        guard let refusal = error as? AdmissionRefusal else { return error }
        metrics?.refused(caller.name, RefusalCauseLabel(refusal.cause))
        guard let tally else { return refusal.error }
        let isListed = tally.add(RefusedParty(caller), .overloaded)
        return LimitedRefusal(refusal: refusal.error, isListed: isListed, limit: refusal.cause.setting)
    }

    /// Counts a failure that is past the limits of many addresses.
    ///
    /// - Returns: nil if it is within them.
    @inline(never)
    private func unrecorded(_ failure: any Error, _ address: String) -> UnrecordedRefusal? {
        guard let tally, let excess = strangers?.takeLine(for: address, now: clock()) else { return nil }
        let party: RefusedParty =
            switch excess {
            case .region(let region): .address(region)
            case .all: .others
            }
        let refusal = (failure as? AuthenticationFailure)?.refusal ?? failure as? TokenError
        _ = tally.add(party, refusal?.reason ?? .rateLimited)
        return UnrecordedRefusal(failure: failure)
    }

    // Not inlined, so that it is not part of the task's memory.
    @inline(never)
    private func limited(
        _ seconds: Int,
        _ party: RefusedParty,
        _ limit: RateLimit?
    ) -> LimitedRefusal {
        let isListed = tally?.add(party, .rateLimited) ?? false
        return LimitedRefusal(
            refusal: TokenError(
                .rateLimited,
                "Too many requests. Retry after the number of seconds in Retry-After.",
                retryAfter: seconds
            ),
            isListed: isListed,
            limit: limit?.setting
        )
    }
}

/// A failure before authentication past the limits of many addresses: it is counted, and leaves no line.
package struct UnrecordedRefusal: Error {
    /// What the response is about.
    package let failure: any Error
}

/// A refusal past a limit or because of overload: it is counted, but not recorded individually.
package struct LimitedRefusal: Error, Hashable {
    /// The response to the caller.
    package let refusal: TokenError
    /// Whether the access log has a line for it; only the first few of each party have one.
    package var isListed = false
    /// The limit that was reached, as its setting in the configuration, for that line; nil if it has none.
    package var limit: String?
}

extension AdmissionRefusal.Cause {
    /// The setting in the configuration.
    fileprivate var setting: String {
        switch self {
        case .queueDelay: "limits.waitMilliseconds"
        case .queueSize: "limits.signatures"
        }
    }
}
