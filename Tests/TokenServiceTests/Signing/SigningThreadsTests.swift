import Dispatch
import NIOCore
import NIOPosix
import ServiceConfiguration
import Synchronization
import TestSupport
import Testing
import TokenMinting

@testable import HTTPServer
@testable import TokenService

@Suite(.timeLimit(.minutes(1)))
struct SigningThreadsTests {
    /// Signs a payload, and returns whether the token has it and is valid.
    private func sign(_ number: Int, _ threads: SigningThreads, _ lane: LaneKey? = nil, key: Int = 0) async throws
        -> Bool
    {
        let signer = try BatchTrial.signer(key)
        let payload = Array("{\(number)}".utf8)
        return BatchTrial.token(try await threads.sign(payload, by: signer, lane), isOf: signer, payload)
    }

    @Test(arguments: [1, 3])
    func allAreSignedAndEachGetsItsOwnToken(threads: Int) async throws {
        let threads = SigningThreads(count: threads, batches: BatchTrial.off)
        let sum = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 { group.addTask { try await sign(number, threads) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sum == 300)
    }

    /// Each waits until all are there: with fewer threads they never would be.
    @Test func thereAreAsManyThreadsAsWereAskedFor() async throws {
        let arrived = DispatchGroup()
        for _ in 0..<3 { arrived.enter() }
        let met = Mutex<[Bool]>([])
        let threads = SigningThreads(count: 3, batches: BatchTrial.off) { _ in
            arrived.leave()
            let isMet = arrived.wait(timeout: .now() + 20) == .success
            met.withLock { $0.append(isMet) }
        }
        #expect(threads.count == 3)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<3 { group.addTask { try await sign(number, threads) } }
            try await group.waitForAll()
        }
        #expect(met.withLock { $0 } == [true, true, true])
    }

    @Test func oneAloneWaitsForNobody() async throws {
        let threads = SigningThreads(count: 2, batches: BatchTrial.off)
        for number in 0..<10 { #expect(try await sign(number, threads)) }
    }

    /// A result comes back to the thread that asked, where its connection is.
    @Test func aTaskOfAnEventLoopGoesOnThere() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let threads = SigningThreads(count: 2, batches: BatchTrial.off) { _ in #expect(!eventLoop.inEventLoop) }
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            for number in 0..<20 {
                #expect(eventLoop.inEventLoop)
                #expect((try? await sign(number, threads)) == true)
            }
            #expect(eventLoop.inEventLoop)
        }
    }

    /// A signature that was submitted is made, whoever has gone.
    @Test func aThousandCancelledTasksGetTheirResults() async throws {
        try await withTemporaryDirectory { folder in
            let library = try await LaneLibrary.best(in: folder)
            let batches = BatchTrial.batches(SigningConfiguration(library: library.path))
            let lane = try #require(batches.laneKey(for: BatchTrial.signer().key))
            let threads = SigningThreads(count: 2, batches: batches)
            let sum = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        withUnsafeCurrentTask { $0?.cancel() }
                        return try await sign(number, threads, lane)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(sum == 1000)
        }
    }

    /// Lets the only thread sign once, while others are submitted in this order, and returns how many it then signs at once.
    private func sizes(of keys: [Int]) async throws -> [Int] {
        try await withTemporaryDirectory { folder in
            let library = try await LaneLibrary(compiledIn: folder)
            let batches = BatchTrial.batches(SigningConfiguration(library: library.path))
            let lanes = try (0..<3).map { try #require(batches.laneKey(for: BatchTrial.signer($0).key)) }
            let sizes = Mutex<[Int]>([])
            let release = DispatchSemaphore(value: 0)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let threads = SigningThreads(count: 1, batches: batches) { size in
                sizes.withLock { $0.append(size) }
                begin.yield()
                if sizes.withLock({ $0.count }) == 1 { _ = release.wait(timeout: .now() + 20) }
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { try await sign(0, threads, lanes[0]) }
                var begins = begun.makeAsyncIterator()
                await begins.next()
                for (number, key) in keys.enumerated() {
                    group.addTask { try await sign(number, threads, lanes[key], key: key) }
                    while threads.waiting <= number { await Task.yield() }
                }
                release.signal()
                for try await isRight in group { #expect(isRight) }
            }
            return sizes.withLock { $0 }
        }
    }

    @Test func whatWaitsIsSignedEightAtOnce() async throws {
        #expect(try await sizes(of: (0..<20).map { $0 % 2 }) == [1, 8, 8, 4])
    }

    @Test(arguments: [[0], [0, 1]])
    func oneOrTwoAreSignedAlone(keys: [Int]) async throws {
        #expect(try await sizes(of: keys) == [1] + keys.map { _ in 1 })
    }

    @Test func keysOfAnotherSizeWaitForTheirTurn() async throws {
        #expect(try await sizes(of: [0, 2, 1, 2, 0, 2]) == [1, 3, 3])
        #expect(try await sizes(of: [0, 2, 2, 1]) == [1, 1, 1, 1, 1])
    }
}
