import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

@Suite(.watchdog, .authenticationScene)
struct JWTAcceptanceTests {
    private let scene = AuthenticationScene.ofTest

    @Test(
        arguments: JWSAlgorithm.allCases,
        [false, true]
    )
    func `A valid token of each algorithm authenticates its caller, whether or not keys name their algorithm`(
        _ algorithm: JWSAlgorithm,
        isNamed: Bool
    ) async throws {
        try await AuthenticationScene.run(algorithms: [algorithm]) { scene async throws in
            try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared), withAlgorithms: isNamed)
            let outcome = await scene.present(try scene.token(algorithm) { $0.claims["role"] = .string("driver") })
            let caller = try #require(outcome.caller)
            #expect(caller.method == .jwt)
            #expect(caller.name == "app")
            #expect(caller.subject == "user-1")
            #expect(caller.claims["role"] == .string("driver"))
            #expect(caller.limit == .perUser)
            #expect(scene.issuer.requests == 1)
        }
    }

    @Test(
        arguments: JWSAlgorithm.allCases.filter { !JWSAlgorithm.usual.contains($0) }
    )
    func `An unusual algorithm is refused unless it is configured`(_ algorithm: JWSAlgorithm) async throws {
        #expect(await scene.present(try scene.token(algorithm)).isRefused(.wrongAlgorithm))
    }

    @Test
    func `The first caller whose conditions a token meets is its caller`() async throws {
        try await AuthenticationScene.run { issuer in
            ["one", "two", "rest"].map { name in
                var configuration = AuthenticationScene.configuration(of: issuer)
                if name != "rest" {
                    configuration.requiredClaims = [ClaimCondition(path: ["client"], value: .string(name))]
                }
                return CallerConfiguration(
                    name: name,
                    method: .jwt(configuration),
                    limit: name == "rest" ? .perUser : .perClient
                )
            }
        } _: { scene async throws in
            for (client, name) in [("one", "one"), ("two", "two"), ("three", "rest")] {
                let outcome = await scene.present(try scene.token { $0.claims["client"] = .string(client) })
                #expect(outcome.caller?.name == name)
                #expect(outcome.caller?.limit == (name == "rest" ? .perUser : .perClient))
            }
        }
    }
}
