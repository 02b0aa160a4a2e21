import FleetToken
import Synchronization
import Testing

@testable import TokenIssuance

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

    /// A burst may wait; what goes on is no burst.
    @Test(.timeLimit(.minutes(1)))
    func whileTheQueueIsNotEmptyForLongOnlyFewMayWait() async throws {
        let time = Mutex<Int64>(0)
        let pace = SigningPace()
        pace.set(alone: SignatureGate.wait / 2, amongMany: SignatureGate.wait / 2)
        let gate = SignatureGate(maximum: 4, parallel: 1, pace: pace, clock: { time.withLock { $0 } })
        let (open, opener) = AsyncStream.makeStream(of: Void.self)
        let (inside, entered) = AsyncStream.makeStream(of: Void.self)
        var arrivals = inside.makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let enter = { @Sendable in
                try await gate.pass {
                    entered.yield()
                    for await _ in open { break }
                }
            }
            for _ in 0..<3 {
                group.addTask { try await enter() }
                _ = await arrivals.next()
            }
            time.withLock { $0 = SignatureGate.patience }
            await #expect(throws: TokenError.self) { try await gate.pass {} }
            // One has gone, and two are still one too many for a third.
            opener.yield()
            try await group.next()
            await #expect(throws: TokenError.self) { try await gate.pass {} }
            opener.yield()
            try await group.next()
            try await gate.pass {}
            opener.yield()
            try await group.next()
            // The queue was empty for a moment, and one was refused just before: still no burst.
            for _ in 0..<2 {
                group.addTask { try await enter() }
                _ = await arrivals.next()
            }
            await #expect(throws: TokenError.self) { try await gate.pass {} }
            for _ in 0..<2 {
                opener.yield()
                try await group.next()
            }
            // A while without a refusal later the next burst may wait again.
            time.withLock { $0 += SignatureGate.calm }
            for _ in 0..<4 {
                group.addTask { try await enter() }
                _ = await arrivals.next()
            }
            await #expect(throws: TokenError.self) { try await gate.pass {} }
            opener.finish()
            try await group.waitForAll()
        }
    }

    /// What may wait follows from the time that it takes, whoever signs.
    @Test(.timeLimit(.minutes(1)), arguments: [(8, 1, 8), (8, 4, 32), (64, 4, 96)])
    func asManyMayWaitAsAreSignedInTime(maximum: Int, speedup: Int64, admitted: Int) async throws {
        let pace = SigningPace()
        // 24 in the time for which a signature may wait, each alone.
        pace.set(alone: SignatureGate.wait / 24, amongMany: SignatureGate.wait / 24 / speedup)
        let time = Mutex<Int64>(0)
        let gate = SignatureGate(maximum: maximum, parallel: 1, pace: pace, clock: { time.withLock { $0 } })
        let (open, opener) = AsyncStream.makeStream(of: Void.self)
        let (inside, entered) = AsyncStream.makeStream(of: Void.self)
        var arrivals = inside.makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<admitted {
                group.addTask {
                    try await gate.pass {
                        entered.yield()
                        for await _ in open { break }
                    }
                }
                _ = await arrivals.next()
            }
            time.withLock { $0 = SignatureGate.patience }
            await #expect(throws: TokenError.self) { try await gate.pass {} }
            opener.finish()
            try await group.waitForAll()
        }
    }
}
