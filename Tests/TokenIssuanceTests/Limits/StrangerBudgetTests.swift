import FleetToken
import TestSupport
import TestTime
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

extension CallerLimits {
    /// What an address may cause.
    func allowance(of address: String) -> AddressAllowance { AddressAllowance(address: address, limits: self) }

    /// Charges a failure before authentication to its address.
    func charge(_ error: any Error, to address: String) async -> Refusal {
        await settle(Refusal(error, .unauthenticated), of: nil, at: address)
    }
}

/// What clients without valid credentials can make the service do, whatever the number of their addresses.
struct StrangerBudgetTests {
    private let clock = TestClock()
    private let tally = RefusalTally(clock: .stopped(at: 7))

    /// The limits of production, with a configured rate of each address.
    private func limits(_ rate: LimitsConfiguration.Rate = LimitsConfiguration().unauthenticated) -> CallerLimits {
        CallerLimits(
            callers: nil,
            addresses: RateLimit(RateLimiter(rate)),
            strangers: StrangerBudget(address: rate),
            tally: tally,
            clock: clock.service
        )
    }

    /// How many lines failures leave in the audit trail, one each from addresses that a number gives.
    private func recorded(
        _ limits: CallerLimits,
        _ count: Int,
        over milliseconds: Int64 = 0,
        from address: (Int) -> String
    ) async -> Int {
        var recorded = 0
        for number in 0..<count {
            let refusal = await limits.charge(AuthenticationFailure(.unknownAPIKey), to: address(number))
            if refusal.rule == .unauthenticated { recorded += 1 }
            let passed = { (done: Int) in Int64(done) * milliseconds / Int64(count) }
            clock.advance(by: Double(passed(number + 1) - passed(number)) / 1000)
        }
        return recorded
    }

    @Test("All addresses together leave at most 200 lines at once and 50 a second, however many they are")
    func total() async {
        let limits = limits()
        // Each from another /48 and another /24.
        let address = { (number: Int) in
            number.isMultiple(of: 2)
                ? "2001:\(String(number % 60_000, radix: 16)):\(String(number / 60_000, radix: 16))::1"
                : "\(1 + number % 200).\(number / 200 % 250).\(number / 50_000).1"
        }
        let lines = await recorded(limits, 200_000, over: 10_000, from: address)
        #expect((600...701).contains(lines), "\(lines)")
        // All others are counted, and none is lost.
        #expect(tally.takeAll().reduce(0) { $0 + $1.count } == 200_000 - lines)
    }

    @Test(
        "The addresses of one larger network leave as many lines as eight addresses",
        arguments: ["2001:db8:7", "192.0.2"]
    )
    func region(network: String) async {
        let limits = limits()
        let address = { (number: Int) in
            network.contains(":") ? "\(network):\(String(number % 65_536, radix: 16))::1" : "\(network).\(number % 256)"
        }
        // At this rate all addresses together are within their limit.
        let lines = await recorded(limits, 2_000, over: 100_000, from: address)
        let rate = LimitsConfiguration().unauthenticated
        let most = 8 * (rate.burst + rate.perMinute * 100 / 60)
        #expect(lines <= Int(most) + 1 && lines >= Int(most) * 9 / 10, "\(lines) of \(most)")
        #expect(await recorded(limits, 1) { _ in "203.0.113.1" } == 1, "another network is not affected")
        let origins = Set(tally.takeAll().map(\.origin))
        #expect(origins.contains(.address(network.contains(":") ? "2001:db8:7::/48" : "192.0.2.0/24")))
    }

    @Test("A refusal without a line has the response that it would have with one")
    func response() async throws {
        let limits = limits(.init(perMinute: 1, burst: 1))
        let failure = AuthenticationFailure(.badSignature).of("app")
        for number in 0..<20 {
            let refusal = await limits.charge(failure, to: "2001:db8:7:\(number)::1")
            #expect(refusal.failure == failure)
            #expect(refusal.error == failure.refusal)
            #expect(refusal.rule == (number >= 8 ? .overTotalLimit : .unauthenticated))
        }
    }

    @Test("The access log lists refusals past an address's limit only as long as all addresses have lines left")
    func listed() async {
        let limits = limits(.init(perMinute: 1, burst: 1))
        var lines = 0
        for number in 0..<5_000 {
            // Two for each address: the first within its limit, the second past it.
            let address = "10.\(number / 500).\(number / 2 % 250).1"
            let refusal = await limits.charge(AuthenticationFailure(.unknownAPIKey), to: address)
            if refusal.isLogged { lines += 1 }
        }
        #expect(lines <= 201, "\(lines)")
    }

    @Test("Past the limits, all addresses together have 2,000 tokens examined a second, and one network 200")
    func verifications() async {
        let limits = limits(.init(perMinute: 1, burst: 1))
        let address = { (number: Int) in "2001:\(String(number, radix: 16))::1" }
        #expect((0..<5_000).count { limits.allowance(of: address($0)).takesVerification() } == 5_000)
        // Without failures nothing is limited.
        _ = await recorded(limits, 1_000, from: address)
        let examined = (0..<60_000).count { limits.allowance(of: address($0)).takesVerification() }
        #expect((2_000...2_001).contains(examined), "\(examined)")
        // Addresses past their own limits share that too: each alone might have 200 a second.
        clock.advance(by: 100)
        _ = await recorded(limits, 200) { address($0 / 2) }
        let past = (0..<60_000).count { limits.allowance(of: address($0 % 100)).takesVerification() }
        #expect((2_000...2_001).contains(past), "\(past)")
        clock.advance(by: 100)
        _ = await recorded(limits, 100) { "2001:db8:7:\($0)::1" }
        let ofRegion = (0..<5_000).count {
            limits.allowance(of: "2001:db8:7:\(String($0, radix: 16))::2").takesVerification()
        }
        #expect((200...201).contains(ofRegion), "\(ofRegion)")
    }

    @Test(
        "Larger networks are /24 and /48",
        arguments: [
            ("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("unknown", "unknown"),
        ]
    )
    func regions(address: String, region: String) {
        #expect(AddressRange.region(of: address) == region)
    }
}
