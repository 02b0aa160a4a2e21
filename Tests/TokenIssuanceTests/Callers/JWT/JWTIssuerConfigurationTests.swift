import FleetToken
import JOSE
import Logging
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct JWTIssuerConfigurationTests {
    private static let good = JWTIssuerConfiguration(
        issuer: "https://issuer.example",
        audiences: ["fleet-token"],
        algorithms: [.es256],
        keys: .url(KeySetURL(known: "https://issuer.example/keys"))
    )

    private func problems(_ change: (inout JWTIssuerConfiguration) -> Void) -> [String] {
        var configuration = Self.good
        change(&configuration)
        do throws(OperatorError) {
            try configuration.check(ownAccounts: ["signer@project.iam.gserviceaccount.com"])
            return []
        } catch {
            return error.problems.map(\.message)
        }
    }

    @Test
    func `An unsafe or useless setting is refused`() {
        let changes: [@Sendable (inout JWTIssuerConfiguration) -> Void] = [
            { $0.issuer = "signer@project.iam.gserviceaccount.com" }, { $0.audiences = ["a", FleetClaims.audience] },
        ]
        for change in changes {
            #expect(problems(change).count == 1)
        }
    }

    @Test
    func `The problems of all callers are reported together, with their names`() {
        var wrongAudience = Self.good
        wrongAudience.audiences = [FleetClaims.audience]
        wrongAudience.issuer = "signer@project.iam.gserviceaccount.com"
        let callers = [
            CallerConfiguration(name: "one", method: .jwt(wrongAudience), rateLimit: .perUser),
            CallerConfiguration(name: "two", method: .apiKeys(file: "/nonexistent/keys"), rateLimit: .perClient),
            CallerConfiguration(name: "three", method: .jwt(Self.good), rateLimit: .perClient),
        ]
        let fetching = KeySetFetching(
            http: FakeHTTP(.failed("no network")),
            clock: .stopped(),
            logger: RecordedLog().logger
        )
        let error = #expect(throws: OperatorError.self) {
            try CallerAuthenticator(
                callers: callers,
                ownAccounts: [wrongAudience.issuer],
                fetching: fetching,
                clock: .stopped()
            )
        }
        #expect(error?.problems.map(\.setting) == ["one", "one", "two.apiKeys.file"])
    }
}
