import ServiceSupport

/// Bounds what all clients without valid credentials together can make the service write and verify.
///
/// An address's own limit is not enough: addresses are cheap by the thousand. So each larger network, an IPv6 /48 or an
/// IPv4 /24, has a limit too, and so have all addresses together. Past these two, responses stay what they are, but a
/// refusal leaves no line of its own: it is counted.
package final class StrangerBudget: Sendable {
    /// The refusals that leave lines of their own, of all addresses together: 50 a second, or 200 at once.
    package static let lineRate = LimitsConfiguration.Rate(perMinute: 3_000, burst: 200)
    /// The verification budget of addresses past a limit, or of all while refusals exceed ``lineRate``: 2,000 tokens a
    /// second, which cost a fifth of a core at 0.1 ms per signature.
    package static let verificationRate = LimitsConfiguration.Rate(perMinute: 120_000, burst: 2_000)
    /// The limit of one larger network, as a multiple of an address's.
    package static let addressesPerRegion = 8.0
    /// The maximum number of larger networks with buckets of their own.
    static let maximumRegions = 20_000

    private let lines: RateLimiter
    private let regions: RateLimiter
    private let verifications: RateLimiter

    /// Creates a budget, for a limit of each address.
    package init(
        address: LimitsConfiguration.Rate,
        lines: LimitsConfiguration.Rate = StrangerBudget.lineRate,
        verifications: LimitsConfiguration.Rate = StrangerBudget.verificationRate
    ) {
        let region = LimitsConfiguration.Rate(
            perMinute: address.perMinute * Self.addressesPerRegion,
            burst: address.burst * Self.addressesPerRegion
        )
        self.lines = RateLimiter(lines, maximumBuckets: 1)
        regions = RateLimiter(region, maximumBuckets: Self.maximumRegions)
        self.verifications = RateLimiter(verifications, maximumBuckets: 1)
    }

    /// Uses one refusal that leaves lines of its own.
    ///
    /// - Returns: nil if there was one; otherwise who is past the limit: the larger network, or all together.
    func takeLine(for address: String, now: Int64) -> RefusalOrigin? {
        let region = AddressRange.region(of: address)
        guard regions.take(region, now: now) == nil else { return .address(region) }
        return takeLine(now: now) ? nil : .others
    }

    /// Uses one line, of an address whose own limit is checked.
    ///
    /// - Returns: Whether there was one.
    func takeLine(now: Int64) -> Bool { lines.take("", now: now) == nil }

    /// Returns whether the larger network of an address is past its limit.
    func isExceeded(by region: String, now: Int64) -> Bool { regions.wait(for: region, now: now) != nil }

    /// Uses one verification of the budget of an address past a limit, or of any while all are past theirs together.
    ///
    /// - Returns: Whether there was one; within the limits there always is.
    func takeVerification(isExceeded: Bool, now: Int64) -> Bool {
        !isExceeded && lines.wait(for: "", now: now) == nil || verifications.take("", now: now) == nil
    }
}
