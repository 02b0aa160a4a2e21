import FleetToken
import JOSE
import Logging
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

@Suite(.watchdog)
struct JWTAcceptanceTests {
    private let scene: AuthenticationScene

    init() throws {
        scene = try AuthenticationScene()
    }

    @Test(
        arguments: JWSAlgorithm.allCases,
        [false, true]
    )
    func `A valid token of each algorithm authenticates its caller, whether or not keys name their algorithm`(
        _ algorithm: JWSAlgorithm,
        isNamed: Bool
    ) async throws {
        let scene = try AuthenticationScene { $0.algorithms = [algorithm] }
        try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared), withAlgorithms: isNamed)
        let outcome = await scene.present(try scene.token(algorithm) { $0.claims["role"] = .string("driver") })
        let caller = try #require(outcome.caller)
        #expect(caller.method == .jwt)
        #expect(caller.name == "app")
        #expect(caller.subject == "user-1")
        #expect(caller.claims["role"] == .string("driver"))
        #expect(caller.rateLimit == .perUser)
        #expect(scene.issuer.requests == 1)
    }

    @Test(
        arguments: JWSAlgorithm.allCases.filter { !JWSAlgorithm.usual.contains($0) }
    )
    func `An unusual algorithm is refused unless it is configured`(_ algorithm: JWSAlgorithm) async throws {
        #expect(await scene.present(try scene.token(algorithm)).isRefused(.wrongAlgorithm))
    }

    @Test
    func `A token without a key ID is accepted if its issuer has one key for the algorithm`() async throws {
        let token = try scene.token { $0.header["kid"] = nil }
        #expect(await scene.present(token).caller != nil)
        let other = try AuthenticationScene()
        try other.issuer.publish([try SigningKey.shared(.es256), try SigningKey(id: "second", .es256)])
        #expect(await other.present(try other.token { $0.header["kid"] = nil }).isRefused(.unknownKey))
        #expect(other.log.lines.last?.metadata["advice"]?.contains("no kid") == true)
    }

    @Test
    func `The only key may be replaced, also for tokens without a key ID`() async throws {
        try scene.issuer.publish([try SigningKey.shared(.es256)])
        #expect(await scene.present(try scene.token { $0.header["kid"] = nil }).caller != nil)
        let new = try SigningKey(id: "new", .es256)
        try scene.issuer.publish([new])
        scene.clock.advance(by: 10)
        #expect(await scene.present(try scene.token(signedBy: new) { $0.header["kid"] = nil }).caller != nil)
    }

    @Test
    func `A key that cannot be used harms no other, and is logged once`() async throws {
        let (good, new) = (try SigningKey.shared(.es256), try SigningKey(id: "new", .es256))
        var weak = try SigningKey.shared(.rs256).jwk()
        weak["kid"] = .string("weak")
        weak["n"] = .base64URL([UInt8](repeating: 0xFF, count: 128))
        scene.issuer.respond(with: .document([try good.jwk(), weak, try new.jwk()].keySet))
        for _ in 0..<3 {
            for key in [good, new] { #expect(await scene.present(try scene.token(signedBy: key)).caller != nil) }
            #expect(await scene.present(try scene.token { $0.header["kid"] = .string("other") }).caller == nil)
            scene.clock.advance(by: 11)
        }
        #expect(scene.issuer.requests == 3)
        let reports = scene.log.lines.filter { $0.metadata["kid"] == "weak" }
        #expect(reports.map(\.level) == [.warning])
        #expect(reports.first?.metadata["error"]?.contains("1024 bits") == true)
    }

    @Test
    func `The first caller whose conditions a token meets is its caller`() async throws {
        let callers = ["one", "two", "rest"].map { name in
            var configuration = AuthenticationScene.configuration
            if name != "rest" {
                configuration.requiredClaims = [ClaimCondition(path: ["client"], value: .string(name))]
            }
            let limit = name == "rest" ? Caller.RateLimit.perUser : .perClient
            return CallerConfiguration(name: name, method: .jwt(configuration), rateLimit: limit)
        }
        let scene = try AuthenticationScene(callers: callers)
        for (client, name) in [("one", "one"), ("two", "two"), ("three", "rest")] {
            let outcome = await scene.present(try scene.token { $0.claims["client"] = .string(client) })
            #expect(outcome.caller?.name == name)
            #expect(outcome.caller?.rateLimit == (name == "rest" ? .perUser : .perClient))
        }
    }
}
