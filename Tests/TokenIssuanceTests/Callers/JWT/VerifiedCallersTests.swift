import FleetToken
import JOSE
import ServiceSupport
import TestSupport
import Testing

@testable import TokenIssuance

struct VerifiedCallersTests {
    private let clock = TestClock(at: 1_800_000_000)

    private func token(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }

    private func insert(_ numbers: Range<Int>, into callers: VerifiedCallers) throws {
        let fetching = KeySetFetching(
            http: FakeHTTP(.failed("no network")),
            clock: clock.service,
            logger: RecordedLog().logger
        )
        let keys = IssuerKeys(plan: try KeySetPlan(.firebase(project: "p")), fetching: fetching)
        for number in numbers {
            let caller = Caller(method: .jwt, name: "app", subject: "\(number)", claims: .init(), rateLimit: .perUser)
            let entry = VerifiedCallers.Entry(
                caller: caller,
                keys: keys,
                fingerprint: SHA256Digest(of: []),
                expiry: clock.now + 100
            )
            callers.insert(entry, for: token(number))
        }
    }

    private func subject(of number: Int, in callers: VerifiedCallers) -> String? {
        callers.caller(bearing: SHA256Digest(of: token(number)))?.caller.subject
    }

    @Test
    func `A caller is remembered until its token expires`() throws {
        let callers = VerifiedCallers(clock: clock.service)
        try insert(1..<2, into: callers)
        clock.advance(by: 99)
        #expect(subject(of: 1, in: callers) == "1")
        #expect(subject(of: 2, in: callers) == nil)
        clock.advance(by: 1)
        #expect(subject(of: 1, in: callers) == nil)
    }

    @Test(arguments: [(0, 100), (0, -1), (100, -100), (99, 1)] as [(Double, Double)])
    func `A clock that is set keeps no caller longer`(passed: Double, set: Double) throws {
        let callers = VerifiedCallers(clock: clock.service)
        try insert(1..<2, into: callers)
        clock.advance(by: passed)
        clock.setWallClock(by: set)
        #expect(subject(of: 1, in: callers) == nil)
    }

    @Test
    func `Callers past the maximum replace all others`() throws {
        let callers = VerifiedCallers(clock: clock.service)
        try insert(0..<VerifiedCallers.maximumCount, into: callers)
        #expect(subject(of: 0, in: callers) == "0")
        try insert(5000..<5001, into: callers)
        #expect(subject(of: 0, in: callers) == nil && subject(of: 5000, in: callers) == "5000")
    }
}
