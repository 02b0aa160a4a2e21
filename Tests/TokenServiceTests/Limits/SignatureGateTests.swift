import FleetToken
import Synchronization
import Testing

@testable import TokenService

struct SignatureGateTests {
    @Test(.timeLimit(.minutes(1)))
    func oneTooManyIsRefusedAtOnce() async throws {
        let gate = SignatureGate(maximum: 3)
        let (open, opener) = AsyncStream.makeStream(of: Void.self)
        let (inside, entered) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await gate.pass {
                        entered.yield()
                        for await _ in open { break }
                    }
                }
            }
            var arrivals = inside.makeAsyncIterator()
            for _ in 0..<3 { _ = await arrivals.next() }
            for _ in 0..<10 {
                await #expect {
                    try await gate.pass {}
                } throws: { error in
                    let error = error as? TokenError
                    return error?.reason == .overloaded && error?.retryAfter == 1
                }
            }
            opener.finish()
            try await group.waitForAll()
        }
        try await gate.pass {}
    }

    @Test func whatFailsFreesItsPlace() async throws {
        let gate = SignatureGate(maximum: 1)
        for _ in 0..<10 {
            await #expect(throws: CancellationError.self) { try await gate.pass { throw CancellationError() } }
        }
        #expect(try await gate.pass { 1 } == 1)
    }
}
