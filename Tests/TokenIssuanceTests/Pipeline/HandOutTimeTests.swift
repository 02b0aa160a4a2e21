import FleetToken
import JOSE
import TestSupport
import TestTime
import TestTraits
import Testing
import TokenMinting

@testable import TokenIssuance

/// What an answer says of a token's time is true when it leaves, whatever happened since the question.
@Suite(.watchdog)
struct HandOutTimeTests {
    /// Grants everything, and meanwhile the clock is set.
    private final class SettingAuthorizer: Authorizer {
        let clock: TestClock
        let difference: Int64

        init(clock: TestClock, difference: Int64) {
            self.clock = clock
            self.difference = difference
        }

        func authorize(_ caller: Caller, for scope: TokenScope, requestID: String) -> String {
            clock.setWallClock(by: Double(difference))
            return "test"
        }
    }

    private let clock = TestClock()

    private func minter() throws -> ReusingMinter {
        let key = try RSAPrivateKey.generate()
        let signer = LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: key))
        return ReusingMinter(TokenMinter(signers: [.driver: signer]), seconds: 240, clock: clock.service)
    }

    @Test("A token that was signed after its request says no more than its lifetime")
    func tokenThatWasSignedAfterTheQuestionHasNoMoreThanItsLifetime() async throws {
        let minter = try minter()
        clock.setWallClock(by: 1)
        let first = try await ask(minter)
        // Asked in the second before, and kept waiting.
        clock.setWallClock(by: -1)
        let second = try await ask(minter, setting: 1)
        #expect(second.token.reveal() == first.token.reveal())
        #expect(first.expiresIn == 3_540)
        #expect(second.expiresIn == 3_540)
    }

    private func ask(_ minter: ReusingMinter, setting difference: Int64 = 0) async throws -> TokenResponse {
        let issuance = IssuancePipeline(
            authenticator: AnonymousAuthenticator(),
            limits: .none,
            authorizer: SettingAuthorizer(clock: clock, difference: difference),
            minter: minter,
            audit: nil,
            clock: clock.service
        )
        switch await issuance.outcome(of: UnreadRequest(kind: .driver, id: "v1"), .sample).ending {
        case .issued(let token, let now): return token.response(at: now)
        case .refused(let refusal): throw refusal.error
        case .abandoned: throw CancellationError()
        }
    }
}
