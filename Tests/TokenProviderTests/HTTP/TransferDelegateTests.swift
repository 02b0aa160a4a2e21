import Foundation
import TestTools
import Testing

@testable import TokenProvider

@Suite(.watchdog)
struct TransferDelegateTests {
    private typealias Transfer = TransferDelegate.Transfer

    private struct Failure: Error, Equatable { let number: Int }

    @Test
    func `The first end counts, before the caller waits and after`() async {
        let early = Transfer()
        early.outcome.resolve(.failure(Failure(number: 1)))
        early.complete(Failure(number: 2))
        await #expect(throws: Failure(number: 1)) { try await early.outcome.value() }
        let late = Transfer()
        await #expect(throws: Failure(number: 1)) {
            try await late.outcome.value {
                late.complete(Failure(number: 1))
                late.outcome.resolve(.success(ServerResponse(status: 200)))
            }
        }
    }

    @Test
    func `A body is collected up to the limit, and not a byte over it`() async throws {
        let limit = ServerResponse.bodyLimit
        let transfer = Transfer()
        #expect(transfer.begin(ServerResponse(status: 200), expectedLength: -1))
        #expect(transfer.append(Data(count: limit - 1)))
        #expect(transfer.append(Data(count: 1)))
        #expect(!transfer.append(Data(count: 1)))
        transfer.complete(nil)
        let error = await #expect(throws: TokenProviderError.self) { try await transfer.outcome.value() }
        #expect(error?.code == .unexpectedResponse)
        let exact = Transfer()
        #expect(exact.begin(ServerResponse(status: 200), expectedLength: Int64(limit)))
        #expect(exact.append(Data(count: limit)))
        exact.complete(nil)
        #expect(try await exact.outcome.value().body.count == limit)
        #expect(!Transfer().begin(ServerResponse(status: 200), expectedLength: Int64(limit) + 1))
    }

    @Test
    func `A transfer without a response is unavailable`() async {
        let transfer = Transfer()
        transfer.complete(nil)
        let error = await #expect(throws: TokenProviderError.self) { try await transfer.outcome.value() }
        #expect(error?.code == .unavailable)
    }
}
