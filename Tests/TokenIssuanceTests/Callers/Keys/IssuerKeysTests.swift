import FleetToken
import JOSE
import Logging
import ServiceSupport
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

/// An issuer's keys over time: rotation, outages, and callers who ask for keys that are not there.
@Suite(.watchdog(seconds: 30))
struct IssuerKeysTests {
    private let scene: AuthenticationScene

    init() throws {
        scene = try AuthenticationScene()
    }

    private func newKey(_ id: String) throws -> SigningKey {
        try SigningKey(id: id, .edDSA)
    }

    @Test
    func `Keys are kept until they are old`() async throws {
        for _ in 0..<60 {
            #expect(await scene.present(try scene.token()).caller != nil)
            scene.clock.advance(by: 59)
        }
        #expect(scene.issuer.requests == 1)
        scene.clock.advance(by: 61)
        #expect(await scene.present(try scene.token()).caller != nil)
        try await scene.issuer.wait(for: 2)
        #expect(scene.issuer.requests == 2)
    }

    @Test(arguments: [(0, 86_400), (86_400, -86_400), (86_400, -90_000)] as [(Double, Double)])
    func `A clock that is set makes no keys last longer`(passed: Double, set: Double) async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.issuer.respond(with: .status(500))
        scene.clock.advance(by: passed)
        scene.clock.setWallClock(by: set)
        #expect(await scene.present(try scene.token()).error?.reason == .authenticationUnavailable)
    }

    // MARK: - Unknown keys

    @Test
    func `A thousand unknown key IDs cause one fetch in ten seconds`() async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        #expect(scene.issuer.requests == 1)
        for interval in 1...5 {
            try await presentUnknownKeys(1000, scene, .refetchDue)
            // The keys that are there are less than ten seconds old.
            #expect(scene.issuer.requests == interval)
            scene.clock.advance(by: 5)
            try await presentUnknownKeys(100, scene, .refetchDue)
            #expect(scene.issuer.requests == interval)
            scene.clock.advance(by: 6)
            try await presentUnknownKeys(1000, scene)
            #expect(scene.issuer.requests == interval + 1)
        }
        #expect(await scene.present(try scene.token()).caller != nil)
    }

    @Test
    func `While the issuer is unavailable, unknown key IDs cause one fetch in ten seconds`() async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.issuer.respond(with: .status(503))
        for number in 1...5 {
            scene.clock.advance(by: 30)
            try await presentUnknownKeys(1000, scene)
            #expect(scene.issuer.requests == 1 + number)
            // One that failed is no reason to ask the next.
            scene.clock.advance(by: 9)
            try await presentUnknownKeys(100, scene)
            #expect(scene.issuer.requests == 1 + number)
            #expect(await scene.present(try scene.token()).caller != nil)
        }
    }

    private func presentUnknownKeys(
        _ count: Int,
        _ scene: AuthenticationScene,
        _ code: AuthenticationFailure.Code = .unknownKey
    ) async throws {
        let good = try scene.token(.edDSA)
        let tokens = try (0..<count).map { _ in
            let header = #"{"alg":"EdDSA","kid":"\#(UInt64.random(in: .min ... .max))"}"#
            let parts = good.split(separator: ".")
            let encoded = String(decoding: Base64URL.encode(Array(header.utf8)), as: UTF8.self)
            return try #require("\(encoded).\(parts[1]).\(parts[2])" as String?)
        }
        let refusals = await withTaskGroup(of: AuthenticationFailure.Code?.self) { group in
            for token in tokens { group.addTask { await scene.refusal(of: token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.count == count)
        // Most don't wait for the fetch, and don't learn whether there is such a key.
        #expect(refusals.allSatisfy { $0 == .unknownKey || $0 == .refetchDue })
        #expect(refusals.contains(code))
    }

    // MARK: - Rotation

    @Test(
        arguments: [0, 3, 9]
    )
    func `A key that was published after the last fetch costs a 401 for ten seconds, and then nothing`(age: Int64)
        async throws
    {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.clock.advance(by: Double(age))
        let new = try newKey("2027")
        try scene.issuer.publish([try SigningKey.shared(.es256), new])
        let token = try scene.token(signedBy: new)
        let early = await scene.present(token)
        #expect(early.error?.reason == .invalidCredentials && early.error?.reason.code == 401)
        #expect(early.reason == "refetch_due")
        #expect(scene.issuer.requests == 1)
        scene.clock.advance(by: Double(10 - age))
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask { await scene.present(token, address: "192.0.2.\(number)").caller != nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == [Bool](repeating: true, count: 16))
        #expect(scene.issuer.requests == 2)
        // A key that the issuer does not have is refused, once that is known.
        scene.clock.advance(by: 10)
        #expect(await scene.present(try scene.token(signedBy: newKey("x"))).isRefused(.unknownKey))
    }

    @Test
    func `A withdrawn key verifies no token, not even one that was accepted before`() async throws {
        let old = try newKey("old")
        let new = try newKey("new")
        try scene.issuer.publish([old, new])
        scene.clock.advance(by: 10)
        let early = try scene.token(signedBy: old)
        #expect(await scene.present(early).caller != nil)
        try scene.issuer.publish([new])
        scene.clock.advance(by: 9)
        let late = try scene.token(signedBy: old)
        #expect(await scene.present(late).caller != nil)
        scene.clock.advance(by: 2)
        // Somebody names a key that isn't there, and the set is fetched.
        #expect(await scene.present(try scene.token(signedBy: newKey("other"))).isRefused(.unknownKey))
        #expect(await scene.present(late).reason == "refetch_due")
        scene.clock.advance(by: 10)
        #expect(await scene.present(late).isRefused(.unknownKey))
        scene.clock.advance(by: 10)
        #expect(await scene.present(early).isRefused(.unknownKey))
        #expect(await scene.present(try scene.token(signedBy: new)).caller != nil)
    }

    @Test
    func `A key that replaces another of the same ID is the one that verifies`() async throws {
        let one = try newKey("same")
        let other = try newKey("same")
        try scene.issuer.publish([one])
        #expect(await scene.present(try scene.token(signedBy: one)).caller != nil)
        #expect(await scene.present(try scene.token(signedBy: other)).isRefused(.badSignature))
        try scene.issuer.publish([other])
        // Too early for a refresh in the background, which the next token would race.
        scene.clock.advance(by: 61)
        #expect(await scene.present(try scene.token(signedBy: newKey("x"))).isRefused(.unknownKey))
        #expect(await scene.present(try scene.token(signedBy: one)).isRefused(.badSignature))
        #expect(await scene.present(try scene.token(signedBy: other)).caller != nil)
    }

    // MARK: - Outages

    @Test
    func `In an outage the last good keys are used until they are too old`() async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.issuer.respond(with: .status(500))
        for (failed, hours) in [(1, 12), (2, 11)] {
            scene.clock.advance(by: Double(3600 * hours))
            #expect(await scene.present(try scene.token()).caller != nil)
            // Waits for the fetch, and finds that it failed.
            #expect(await scene.present(try scene.token(signedBy: newKey("x"))).isRefused(.unknownKey))
            #expect(scene.issuer.requests == 1 + failed)
        }
        scene.clock.advance(by: 3599)
        let token = try scene.token()
        #expect(await scene.present(token).caller != nil)
        scene.clock.advance(by: 1)
        let closed = await scene.present(token)
        #expect(closed.error?.reason == .authenticationUnavailable)
        #expect(closed.error?.reason.code == 503)
        #expect((closed.error?.retryAfter ?? 0) > 0)
        #expect(closed.reason == "keys_unavailable")
        try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared))
        scene.clock.advance(by: Double(closed.error?.retryAfter ?? 0))
        #expect(await scene.present(try scene.token()).caller != nil)
    }

    @Test(arguments: ["an error", "silence"])
    func `Expired keys are fetched as soon as at a start`(_ answer: String) async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.issuer.respond(with: answer == "silence" ? .silence : .status(500))
        scene.clock.advance(by: 86_393)
        async let outcome = scene.present(try scene.token(signedBy: newKey("x")))
        if answer == "silence" {
            try await scene.issuer.wait(for: 2)
            try await scene.clock.waitForSleepers()
            scene.clock.advance(by: 5)
        }
        #expect(try await outcome.isRefused(.unknownKey))
        #expect(scene.issuer.requests == 2)
        scene.issuer.respond(with: .status(500))
        // Before a retry while keys are cached is due.
        scene.clock.advance(by: 7)
        let refused = await scene.present(try scene.token())
        #expect(refused.error?.reason == .authenticationUnavailable)
        #expect(refused.error?.retryAfter == 1)
        #expect(scene.issuer.requests == 3)
        try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared))
        scene.clock.advance(by: 1)
        #expect(await scene.present(try scene.token()).caller != nil)
    }

    @Test(arguments: [("30", 30...31), ("Sun, 06 Nov 1994 08:50:07 GMT", 30...31), ("86400", 60...61)])
    func `An issuer's Retry-After is honored, within bounds`(_ field: String, for seconds: ClosedRange<Int>)
        async throws
    {
        scene.issuer.respond(with: .unavailable(retryAfter: field))
        let refused = await scene.present(try scene.token())
        #expect(seconds.contains(refused.error?.retryAfter ?? 0), "\(String(describing: refused.error))")
        try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared))
        scene.clock.advance(by: Double(seconds.upperBound))
        #expect(await scene.present(try scene.token()).caller != nil)
    }

    @Test
    func `Of the requests that wait for a silent issuer, there are 64 at once`() async throws {
        scene.issuer.respond(with: .silence)
        let plan = KeySetPlan(AuthenticationScene.configuration)
        let keys = IssuerKeys(plan: plan, fetching: scene.fetching)
        for _ in 1...2 {
            let failures = Journal<AuthenticationFailure>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        do throws(AuthenticationFailure) {
                            _ = try await keys.current()
                        } catch {
                            failures.append(error)
                        }
                    }
                }
                try await until { keys.waiting + failures.entries.count >= 100 }
                #expect(keys.waiting == 64)
                #expect(failures.entries.allSatisfy { $0 == AuthenticationFailure(.keysUnavailable, retryAfter: 1) })
                // The issuer says nothing before its time is over, which is when the test says so.
                try await scene.clock.waitForSleepers()
                scene.clock.advance(by: 5)
                try await group.waitForAll()
            }
            #expect(keys.waiting == 0)
            scene.clock.advance(by: 100)
        }
    }

    @Test
    func `Past 64 that wait for a key that is not known, a request is refused until the keys are there`() async throws {
        let plan = KeySetPlan(AuthenticationScene.configuration)
        let keys = IssuerKeys(plan: plan, fetching: scene.fetching)
        _ = try await keys.current()
        scene.clock.advance(by: 10)
        scene.issuer.respond(with: .silence)
        let token = try CallerToken(parsing: Array(try scene.token(signedBy: newKey("new")).utf8))
        let failures = Journal<AuthenticationFailure>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do throws(AuthenticationFailure) {
                        _ = try await keys.key(of: token)
                    } catch {
                        failures.append(error)
                    }
                }
            }
            try await until { keys.waiting + failures.entries.count >= 100 }
            #expect(failures.entries == [AuthenticationFailure](repeating: .init(.refetchDue), count: 36))
            // The issuer says nothing before its time is over, which is when the test says so.
            try await scene.clock.waitForSleepers()
            scene.clock.advance(by: 5)
        }
        // Those that waited learn that it did not respond, as the log does.
        let failed = failures.entries.count { $0 == .init(.unknownKey, advice: .issuerUnavailable) }
        #expect(failed == 64)
    }

    @Test
    func `A request whose client goes during a fetch of keys that are cached learns nothing of its token`()
        async throws
    {
        let plan = KeySetPlan(AuthenticationScene.configuration)
        let keys = IssuerKeys(plan: plan, fetching: scene.fetching)
        _ = try await keys.current()
        scene.clock.advance(by: 10)
        scene.issuer.respond(with: .silence)
        let token = try CallerToken(parsing: Array(try scene.token(signedBy: newKey("new")).utf8))
        let request = Task { () async -> AuthenticationFailure? in
            do throws(AuthenticationFailure) {
                _ = try await keys.key(of: token)
                return nil
            } catch {
                return error
            }
        }
        try await until { keys.waiting > 0 }
        request.cancel()
        #expect(await request.value?.code == .keysUnavailable)
        // The fetch goes on, and ends with its time.
        try await scene.clock.waitForSleepers()
        scene.clock.advance(by: 5)
    }

    // MARK: - Malformed responses

    static let malformed: [(String, FakeIssuer.Response)] = [
        ("not found", .status(404)), ("second hand", .status(203)), ("accepted", .status(202)),
        ("endless", .failure(.tooLarge)), ("empty", .document([])), ("page", .document(Array("<html></html>".utf8))),
        ("no keys", .document(Array("{}".utf8))),
        ("empty set", .document(Array(#"{"keys":[]}"#.utf8))),
        ("256 KiB", .document(Array(repeating: 0x20, count: 262_145))),
        ("deep", .document(Array(repeating: 0x5B, count: 200_000))),
    ]

    @Test(arguments: malformed)
    func `After an invalid response the last good keys stay in use`(
        _ name: String,
        _ response: FakeIssuer.Response
    ) async throws {
        #expect(await scene.present(try scene.token()).caller != nil)
        scene.issuer.respond(with: response)
        scene.clock.advance(by: 3601)
        // Waits for the fetch, and finds that it failed.
        #expect(await scene.present(try scene.token(signedBy: newKey("x"))).isRefused(.unknownKey))
        #expect(scene.issuer.requests == 2)
        #expect(scene.log.lines.contains { $0.level == .warning && $0.metadata["keys"] == FakeIssuer.url })
        #expect(await scene.present(try scene.token()).caller != nil)
    }

    // MARK: - Several callers

    @Test
    func `Callers of one issuer share its keys and its fetches`() async throws {
        let callers = (0..<10 as Range<Int64>).map { number in
            var configuration = AuthenticationScene.configuration
            configuration.requiredClaims = [ClaimCondition(path: ["number"], value: .integer(number))]
            return CallerConfiguration(name: "caller-\(number)", method: .jwt(configuration), rateLimit: .perClient)
        }
        let scene = try AuthenticationScene(callers: callers)
        for number in 0..<10 {
            let token = try scene.token { $0.claims["number"] = .integer(Int64(number)) }
            #expect(await scene.present(token).caller?.name == "caller-\(number)")
        }
        #expect(scene.issuer.requests == 1)
        scene.clock.advance(by: 61)
        for number in 0..<10 {
            let token = try scene.token(signedBy: newKey("unknown")) {
                $0.claims["number"] = .integer(Int64(number))
            }
            // The first has the keys fetched; for the others it is too early.
            #expect(await scene.present(token).reason == (number == 0 ? "unknown_key" : "refetch_due"))
        }
        #expect(scene.issuer.requests == 2)
    }
}
