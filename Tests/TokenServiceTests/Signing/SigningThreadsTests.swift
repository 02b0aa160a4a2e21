import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTPServer
@testable import TokenService

@Suite(.timeLimit(.minutes(1)))
struct SigningThreadsTests {
    @Test(arguments: [1, 3])
    func allAreRunAndEachGetsItsOwnResult(threads: Int) async throws {
        let threads = SigningThreads(count: threads)
        let sum = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 { group.addTask { try await threads.run { number } == number } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sum == 1000)
    }

    /// Each waits until all are there: with fewer threads they never would be.
    @Test func thereAreAsManyThreadsAsWereAskedFor() async throws {
        let threads = SigningThreads(count: 3)
        #expect(threads.count == 3)
        let arrived = DispatchGroup()
        for _ in 0..<3 { arrived.enter() }
        let met = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await threads.run {
                        arrived.leave()
                        return arrived.wait(timeout: .now() + 20) == .success
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(met == [true, true, true])
    }

    @Test func oneAloneWaitsForNobody() async throws {
        let threads = SigningThreads(count: 2)
        for number in 0..<10 { #expect(try await threads.run { number } == number) }
    }

    @Test func whatFailsFailsForItsCallerOnly() async throws {
        let threads = SigningThreads(count: 1)
        async let other = threads.run { 1 }
        await #expect(throws: CancellationError.self) {
            try await threads.run { () throws -> Int in throw CancellationError() }
        }
        #expect(try await other == 1)
    }

    /// A result comes back to the thread that asked, where its connection is.
    @Test func aTaskOfAnEventLoopGoesOnThere() async throws {
        let threads = SigningThreads(count: 2)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            for _ in 0..<20 {
                #expect(eventLoop.inEventLoop)
                #expect((try? await threads.run { eventLoop.inEventLoop }) == false)
            }
            #expect(eventLoop.inEventLoop)
        }
    }

    /// A signature that has begun is made to its end, whoever has gone.
    @Test func aCancelledTaskGetsItsResult() async throws {
        let threads = SigningThreads(count: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await threads.run { 1 }
        }
        #expect(try await task.value == 1)
    }
}
