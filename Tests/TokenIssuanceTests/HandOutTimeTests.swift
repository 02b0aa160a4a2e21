import FleetToken
import JOSE
import Synchronization
import TestTraits
import Testing
import TokenMinting

@testable import TokenIssuance

/// What an answer says of a token's time is true when it leaves, whatever happened since the question.
@Suite(.watchdog)
struct HandOutTimeTests {
    /// Tells one time after the other.
    private final class Times: Sendable {
        private let times: Mutex<[Int64]>

        init(_ times: [Int64]) { self.times = Mutex(times.reversed()) }

        func next() -> NumericDate {
            times.withLock { NumericDate(seconds: $0.count > 1 ? $0.removeLast() : $0[0]) }
        }
    }

    @Test func tokenThatWasSignedAfterTheQuestionHasNoMoreThanItsLifetime() async throws {
        let key = try RSAPrivateKey.generate()
        let signer = LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: key))
        let minter = ReusingMinter(TokenMinter(signers: [.driver: signer]), seconds: 240)
        let first = try await ask(minter, at: [1_800_000_001])
        // Asked in the second before, and kept waiting.
        let second = try await ask(minter, at: [1_800_000_000, 1_800_000_001])
        #expect(second.token.reveal() == first.token.reveal())
        #expect(first.expiresIn == 3_540)
        #expect(second.expiresIn == 3_540)
    }

    @Test(arguments: [1_800_003_540, 1_800_007_200, 1_799_999_939, 1_799_990_000] as [Int64])
    func tokenIsNotHandedOutWhenTheClockWasSetMeanwhile(handOut: Int64) async throws {
        let key = try RSAPrivateKey.generate()
        let signer = LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: key))
        let minter = ReusingMinter(TokenMinter(signers: [.driver: signer]), seconds: 240)
        let error = await #expect(throws: TokenError.self) { try await ask(minter, at: [1_800_000_000, handOut]) }
        #expect(error?.reason == .signerUnavailable)
        #expect(error?.retryAfter == 1)
    }

    private func ask(_ minter: ReusingMinter, at times: [Int64]) async throws -> TokenResponse {
        let clock = Times(times)
        let issuance = IssuancePipeline(
            authenticator: AnonymousAuthenticator(),
            limits: .none,
            authorizer: DevelopmentAuthorizer(),
            minter: minter,
            audit: nil,
            now: clock.next
        )
        switch await issuance.outcome(of: UnreadRequest(kind: .driver, id: "v1"), .sample).ending {
        case .issued(let token, let now): return token.response(at: now)
        case .refused(let refusal): throw refusal.error
        case .abandoned: throw CancellationError()
        }
    }
}
