import Crypto
import FleetToken
import StrictCoding
import Testing

@testable import TokenService

@Suite(.timeLimit(.minutes(1)))
struct RememberedCallersTests {
    private let start = NumericDate(seconds: 1_800_000_000)
    private let keys = SHA256.hash(data: Array("keys".utf8))

    private func caller(_ subject: String) -> Caller {
        Caller(method: .jwt, name: "app", subject: subject, claims: .init(), isApp: true)
    }

    private func digest(_ number: Int) -> SHA256Digest {
        SHA256.hash(data: Array("\(number)".utf8))
    }

    @Test func callersAreRememberedForAMinute() {
        let remembered = RememberedCallers()
        remembered.insert(caller("a"), issuer: 3, keys: keys, for: digest(1), until: start + 3600, at: start)
        #expect(remembered.entry(for: digest(1), at: start)?.caller.subject == "a")
        #expect(remembered.entry(for: digest(1), at: start)?.issuer == 3)
        #expect(remembered.entry(for: digest(1), at: start + 59) != nil)
        #expect(remembered.entry(for: digest(1), at: start + 60) == nil)
        #expect(remembered.entry(for: digest(2), at: start) == nil)
    }

    @Test func callersAreForgottenWhenTheirTokenExpires() {
        let remembered = RememberedCallers()
        remembered.insert(caller("a"), issuer: 0, keys: keys, for: digest(1), until: start + 10, at: start)
        #expect(remembered.entry(for: digest(1), at: start + 9) != nil)
        #expect(remembered.entry(for: digest(1), at: start + 10) == nil)
    }

    @Test func clockThatIsSetBackMakesNobodyLiveLonger() {
        let remembered = RememberedCallers()
        remembered.insert(caller("a"), issuer: 0, keys: keys, for: digest(1), until: start + 3600, at: start)
        #expect(remembered.entry(for: digest(1), at: start - 1) == nil)
    }

    @Test func numberIsBoundedAndTheLatestStay() {
        let remembered = RememberedCallers(capacity: 100)
        for number in 0..<10_000 {
            remembered.insert(
                caller("\(number)"),
                issuer: 0,
                keys: keys,
                for: digest(number),
                until: start + 3600,
                at: start
            )
            #expect(remembered.count <= 100)
            #expect(remembered.entry(for: digest(number), at: start) != nil)
            #expect(number < 50 || remembered.entry(for: digest(number - 49), at: start) != nil)
        }
    }

    @Test func manyThreadsRememberAtOnce() async {
        let remembered = RememberedCallers(capacity: 64)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        let digest = digest(number % 100)
                        remembered.insert(
                            caller("\(number % 100)"),
                            issuer: task,
                            keys: keys,
                            for: digest,
                            until: start + 60,
                            at: start
                        )
                        if let entry = remembered.entry(for: digest, at: start) {
                            #expect(entry.caller.subject == "\(number % 100)")
                        }
                    }
                }
            }
        }
        #expect(remembered.count <= 64)
    }

    /// What is remembered is asked first: bytes that are no token are taken when their digest is known, and only then.
    @Test func rememberedCallersCostNoVerification() async throws {
        try await AuthenticationScene.run { scene async throws in
            let remembered = RememberedCallers()
            let configuration = AuthenticationScene.configuration(of: scene.issuer)
            let keys = try IssuerKeys(configuration, callerName: "app", fetching: scene.fetching)
            let issuer = JWTIssuer(name: "app", isApp: true, configuration: configuration, keys: keys)
            let authenticator = JWTAuthenticator(
                issuers: [issuer],
                ownAccounts: [],
                remembered: remembered,
                now: { scene.clock.now }
            )
            let noToken = Array("no token".utf8)
            await #expect(throws: AuthenticationFailure(.malformedToken)) {
                try await authenticator.caller(bearing: noToken)
            }
            #expect(remembered.count == 0)
            remembered.insert(
                caller("known"),
                issuer: 0,
                keys: try await keys.current().fingerprint,
                for: SHA256.hash(data: noToken),
                until: scene.clock.now + 60,
                at: scene.clock.now
            )
            #expect(try await authenticator.caller(bearing: noToken).subject == "known")
            _ = try await authenticator.caller(bearing: Array(try scene.token().utf8))
            #expect(remembered.count == 2)
            // Another set, with the same keys in another order, is another set.
            try scene.issuer.publish(JWTAlgorithm.allCases.reversed().map(SigningKey.shared))
            scene.clock.advance(by: 3601)
            remembered.insert(
                caller("known"),
                issuer: 0,
                keys: try await keys.current().fingerprint,
                for: SHA256.hash(data: noToken),
                until: scene.clock.now + 60,
                at: scene.clock.now
            )
            _ = try? await keys.key(named: "unknown")
            await #expect(throws: AuthenticationFailure(.malformedToken)) {
                try await authenticator.caller(bearing: noToken)
            }
        }
    }
}
