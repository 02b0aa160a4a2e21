import FleetToken
import JOSE
import ServiceSupport
import StrictCoding
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import TokenIssuance

@Suite(.watchdog, .authenticationScene)
struct RememberedCallersTests {
    private let scene = AuthenticationScene.ofTest

    private let start = NumericDate(seconds: 1_800_000_000)

    private func digest(_ number: Int) -> SHA256Digest {
        SHA256Digest(of: Array("\(number)".utf8))
    }

    /// A caller of an issuer whose keys nobody asks for.
    private func caller(_ subject: String) throws -> VerifiedCaller {
        let plan = try KeySetPlan(.firebase(project: "p"))
        let fetching = KeySetFetching(
            http: FakeHTTP(.failed("no network")),
            clock: .stopped(),
            logger: RecordedLog().logger
        )
        return verified(subject, IssuerKeys(plan: plan, cache: KeySetCache(fetching)), digest(0))
    }

    private func verified(_ subject: String, _ keys: IssuerKeys, _ fingerprint: SHA256Digest) -> VerifiedCaller {
        let caller = Caller(method: .jwt, name: "app", subject: subject, claims: .init(), isApp: true)
        return VerifiedCaller(caller: caller, keys: keys, fingerprint: fingerprint)
    }

    @Test("A caller is remembered for a minute of either clock, and not before its token was verified")
    func lifetime() throws {
        let continuous = Mutex<Int64>(5)
        let remembered = RememberedCallers { continuous.withLock { $0 } }
        remembered.insert(try caller("a"), for: digest(1), until: start + 3600, at: start)
        #expect(remembered.caller(for: digest(1), at: start)?.caller.subject == "a")
        #expect(remembered.caller(for: digest(1), at: start + 59) != nil)
        #expect(remembered.caller(for: digest(1), at: start + 60) == nil)
        #expect(remembered.caller(for: digest(1), at: start - 1) == nil, "a clock that was set back")
        #expect(remembered.caller(for: digest(2), at: start) == nil)
        continuous.withLock { $0 += 60_000_000_000 - 1 }
        #expect(remembered.caller(for: digest(1), at: start) != nil)
        continuous.withLock { $0 += 1 }
        #expect(remembered.caller(for: digest(1), at: start) == nil, "a clock that stands still")
    }

    @Test("Memory is bounded, and the latest callers stay")
    func memoryIsBoundedAndTheLatestStay() throws {
        let caller = try caller("a")
        let remembered = RememberedCallers(budget: caller.caller.retainedSize * 100)
        for number in 0..<10_000 {
            remembered.insert(caller, for: digest(number), until: start + 3600, at: start)
            #expect(remembered.count <= 100)
            #expect(remembered.caller(for: digest(number), at: start) != nil)
            #expect(number < 50 || remembered.caller(for: digest(number - 49), at: start) != nil)
        }
    }

    @Test("Remembered callers are bounded in bytes, however large their claims are", .tags(.s16))
    func largeCallersTakeTheRoomOfMany() throws {
        let small = try caller("a")
        var claims = JSONObject()
        for number in 0..<250 {
            let text = "\(number)" + String(repeating: "x", count: 30)
            _ = claims.append(.init("claim-\(text)", .array([.string(text)])))
        }
        let large = VerifiedCaller(
            caller: Caller(method: .jwt, name: "app", subject: "b", claims: claims, isApp: true),
            keys: small.keys,
            fingerprint: small.fingerprint
        )
        // Two names and texts of some 40 bytes, each on the heap, in what has 16 bytes for itself.
        #expect(large.caller.retainedSize > 250 * 2 * (40 + 64))
        let remembered = RememberedCallers()
        for number in 0..<4096 {
            remembered.insert(large, for: digest(number), until: start + 3600, at: start)
            #expect(remembered.caller(for: digest(number), at: start) != nil)
            #expect(remembered.count * large.caller.retainedSize <= 16 * 1024 * 1024)
        }
        #expect(remembered.count * large.caller.retainedSize > 7 * 1024 * 1024, "one generation is full")
        // Again and again the same one takes no more room.
        let few = RememberedCallers()
        for _ in 0..<4096 { few.insert(large, for: digest(1), until: start + 3600, at: start) }
        #expect(few.count == 1)
        // One that would take half of all there is is not kept.
        let none = RememberedCallers(budget: large.caller.retainedSize * 2)
        none.insert(large, for: digest(1), until: start + 3600, at: start)
        #expect(none.count == 0)
    }

    @Test("A nested object counts with the capacity that it reserves", .tags(.s16))
    func nestedObjectsCountWithTheirRoom() throws {
        let depth = 12
        let json = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let claims = try JSONParser.parseObject(json.utf8)
        let caller = Caller(method: .jwt, name: "app", subject: "", claims: claims, isApp: true)
        let room = claims.members.capacity * MemoryLayout<JSONObject.Member>.stride
        #expect(claims.members.capacity >= JSONObject.leastCapacity)
        #expect(caller.retainedSize >= depth * room)
    }

    @Test("A verified token is known longer than its caller is remembered")
    func whatWasVerifiedIsKnownLongerThanItCounts() throws {
        let remembered = RememberedCallers()
        remembered.insert(try caller("a"), for: digest(1), until: start + 10, at: start)
        #expect(remembered.caller(for: digest(1), at: start + 10) == nil)
        #expect(remembered.knows(digest(1)))
        #expect(!remembered.knows(digest(2)))
    }

    /// Bytes that are no token are taken when somebody is remembered for them, and only while the issuer's keys are what
    /// they were.
    @Test("A remembered caller costs no verification until the keys change")
    func rememberedCallersCostNoVerificationUntilTheKeysChange() async throws {
        let configuration = AuthenticationScene.configuration(of: scene.issuer)
        let keys = IssuerKeys(
            plan: try KeySetPlan(configuration),
            cache: KeySetCache(scene.fetching)
        )
        let remembered = RememberedCallers()
        let authenticator = JWTAuthenticator(
            issuers: [JWTIssuer(name: "app", isApp: true, configuration: configuration, keys: keys)],
            ownAccounts: [],
            remembered: remembered,
            clock: scene.clock.service
        )
        let noToken = Array("no token".utf8)
        func remember() async throws {
            remembered.insert(
                verified("known", keys, try await keys.current(for: nil).fingerprint),
                for: SHA256Digest(of: noToken),
                until: scene.clock.now + 60,
                at: scene.clock.now
            )
        }
        await #expect(throws: AuthenticationFailure(.malformedToken)) {
            try await authenticator.caller(bearing: noToken, allowance: .unlimited)
        }
        #expect(remembered.count == 0)
        try await remember()
        #expect(try await authenticator.caller(bearing: noToken, allowance: .unlimited).subject == "known")
        _ = try await authenticator.caller(bearing: Array(try scene.token().utf8), allowance: .unlimited)
        #expect(remembered.count == 2)

        // The same keys in another order are another set.
        try scene.issuer.publish(JWSAlgorithm.allCases.reversed().map(SigningKey.shared))
        scene.clock.advance(by: 61)
        try await remember()
        #expect(try await authenticator.caller(bearing: noToken, allowance: .unlimited).subject == "known")
        _ = try? await keys.key(named: "unknown", for: .unlimited)
        #expect(scene.issuer.requests == 2)
        await #expect(throws: AuthenticationFailure(.malformedToken)) {
            try await authenticator.caller(bearing: noToken, allowance: .unlimited)
        }
    }

    @Test("A token that was verified before uses none of the signatures that its address has left")
    func knownToken() async throws {
        let once = LimitsConfiguration.Rate(perMinute: 1, burst: 1)
        let limits = CallerLimits(
            callers: nil,
            addresses: RateLimit(RateLimiter(once)),
            verifications: RateLimiter(once),
            clock: .stopped()
        )
        let known = try scene.token()
        #expect(await scene.present(known, limits: limits).caller != nil)
        for _ in 0..<2 { _ = await limits.charge(AuthenticationFailure(.noCredentials), to: "192.0.2.1") }
        for _ in 0..<3 {
            // It is verified again, since a caller is remembered for a minute.
            scene.clock.advance(by: 61)
            #expect(await scene.present(known, limits: limits).caller != nil)
        }
        let others = try (2...3).map { number in
            try scene.token { $0.claims["sub"] = .string("user-\(number)") }
        }
        #expect(await scene.present(others[0], limits: limits).caller != nil, "the address's one signature is left")
        #expect(await scene.present(others[1], limits: limits).reason == "not_examined")
    }
}
