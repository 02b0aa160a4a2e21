import TestTraits
import Testing

@testable import TokenProvider

@Suite("A transfer's outcome", .watchdog)
struct TransferTests {
    private struct Failure: Error, Equatable { let number: Int }

    @Test("The first end counts, before the caller waits and after")
    func firstEndCounts() async {
        let early = Transfer(bodyLimit: 10)
        early.outcome.resolve(.failure(Failure(number: 1)))
        early.complete(Failure(number: 2))
        await #expect(throws: Failure(number: 1)) { try await early.outcome.value() }
        let late = Transfer(bodyLimit: 10)
        await #expect(throws: Failure(number: 1)) {
            try await late.outcome.value {
                late.complete(Failure(number: 1))
                late.outcome.resolve(.success(TransferResponse(status: 200)))
            }
        }
    }

    @Test("The body is collected up to the limit, and not a byte over it")
    func bodyLimit() async throws {
        let transfer = Transfer(bodyLimit: 4)
        #expect(transfer.begin(TransferResponse(status: 200), expectedLength: -1))
        #expect(transfer.append([1, 2]))
        #expect(transfer.append([3, 4]))
        #expect(!transfer.append([5]))
        transfer.complete(nil)
        let error = await #expect(throws: TokenProviderError.self) { try await transfer.outcome.value() }
        #expect(error?.code == .unexpectedResponse)
        let exact = Transfer(bodyLimit: 4)
        #expect(exact.begin(TransferResponse(status: 200), expectedLength: 4))
        #expect(exact.append([1, 2, 3, 4]))
        exact.complete(nil)
        #expect(try await exact.outcome.value().body == [1, 2, 3, 4])
        #expect(!Transfer(bodyLimit: 4).begin(TransferResponse(status: 200), expectedLength: 5))
    }

    @Test("An end without an answer is an error that passes")
    func noAnswer() async {
        let transfer = Transfer(bodyLimit: 4)
        transfer.complete(nil)
        let error = await #expect(throws: TokenProviderError.self) { try await transfer.outcome.value() }
        #expect(error?.code == .unavailable)
    }
}
