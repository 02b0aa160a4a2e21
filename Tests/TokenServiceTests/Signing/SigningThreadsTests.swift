import Dispatch
import NIOCore
import NIOPosix
import ServiceConfiguration
import ServiceSupport
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing
import TokenIssuance
import TokenMinting

@testable import HTTPServer
@testable import TokenService

@Suite(.watchdog)
struct SigningThreadsTests {
    /// Signs a payload, and returns whether the token has it and is valid.
    private func sign(
        _ number: Int,
        _ threads: SigningThreads,
        _ lane: BatchKey? = nil,
        key: Int = 0,
        for flow: Flow = Flow(caller: "a", subject: ""),
        within limits: AdmissionLimits = AdmissionLimits()
    ) async throws -> Bool {
        let signer = try BatchTrial.signer(key)
        let payload = Array("{\(number)}".utf8)
        let token = try await threads.sign(payload, by: signer, lane, for: flow, within: limits)
        return BatchTrial.token(token, isOf: signer, payload)
    }

    @Test(arguments: [1, 3])
    func allAreSignedAndEachGetsItsOwnToken(threads: Int) async throws {
        let threads = SigningThreads(count: threads, batches: BatchTrial.off, clock: .system)
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
        let threads = SigningThreads(count: 3, batches: BatchTrial.off, clock: .system) { _ in
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
        let threads = SigningThreads(count: 2, batches: BatchTrial.off, clock: .system)
        for number in 0..<10 { #expect(try await sign(number, threads)) }
    }

    /// A result comes back to the thread that asked, where its connection is.
    @Test func aTaskOfAnEventLoopGoesOnThere() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let threads = SigningThreads(count: 2, batches: BatchTrial.off, clock: .system) { _ in
            #expect(!eventLoop.inEventLoop)
        }
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            for number in 0..<20 {
                #expect(eventLoop.inEventLoop)
                #expect((try? await sign(number, threads)) == true)
            }
            #expect(eventLoop.inEventLoop)
        }
    }

    /// Every task ends: with its own token if a thread had taken it, or with a cancellation.
    @Test func aThousandCancelledTasksEnd() async throws {
        try await withTemporaryDirectory { folder in
            let library = try await LaneLibrary(compiledIn: folder)
            let batches = BatchTrial.batches(SigningConfiguration(library: library.path))
            let lane = try #require(batches.batchKey(for: BatchTrial.signer().key))
            let made = Mutex(0)
            let threads = SigningThreads(count: 2, batches: batches, clock: .system) { size in
                made.withLock { $0 += size }
            }
            let (signed, cancelled) = try await withThrowingTaskGroup(of: Bool?.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        let task = Task { try await sign(number, threads, lane) }
                        if number % 2 == 1 { task.cancel() }
                        do {
                            return try await task.value
                        } catch is CancellationError {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: (0, 0)) { sums, result in
                    if result == true { sums.0 += 1 } else if result == nil { sums.1 += 1 }
                }
            }
            #expect(signed >= 500 && signed + cancelled == 1000)
            #expect(made.withLock { $0 } == signed)
        }
    }

    @Test("Clients that have gone cost no signature, and the others get theirs")
    func whoHasGoneCostsNoSignature() async throws {
        let release = DispatchSemaphore(value: 0)
        let made = Mutex(0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let threads = SigningThreads(count: 1, batches: BatchTrial.off, clock: .system) { size in
            let isFirst = made.withLock { made in
                made += size
                return made == size
            }
            begin.yield()
            if isFirst { _ = release.wait(timeout: .now() + 20) }
        }
        let first = Task { try await sign(0, threads) }
        var begins = begun.makeAsyncIterator()
        await begins.next()
        let others = (1...20).map { number in Task { try await sign(number, threads) } }
        while threads.waiting < 20 { await Task.yield() }
        for other in others.prefix(15) { other.cancel() }
        for other in others.prefix(15) { await #expect(throws: CancellationError.self) { try await other.value } }
        #expect(threads.waiting == 5)
        release.signal()
        for task in [first] + others.suffix(5) { #expect(try await task.value) }
        #expect(made.withLock { $0 } == 6)
    }

    /// The callers that got their tokens, in this order.
    private final class Order: Sendable {
        private let state = Mutex<[String]>([])
        var callers: [String] { state.withLock { $0 } }
        func append(_ caller: String) { state.withLock { $0.append(caller) } }
    }

    @Test("A quiet caller's signature is made next, although a noisy caller's wait")
    func callersTakeTurns() async throws {
        let release = DispatchSemaphore(value: 0)
        let isFirst = Mutex(true)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let threads = SigningThreads(count: 1, batches: BatchTrial.off, clock: .system) { _ in
            begin.yield()
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if waits { _ = release.wait(timeout: .now() + 20) }
        }
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ caller: String, _ number: Int) {
                group.addTask {
                    _ = try await sign(number, threads, for: Flow(caller: caller, subject: ""))
                    order.append(caller)
                }
            }
            add("noisy", 0)
            var begins = begun.makeAsyncIterator()
            await begins.next()
            for number in 1...40 { add("noisy", number) }
            while threads.waiting < 40 { await Task.yield() }
            add("quiet", 41)
            while threads.waiting < 41 { await Task.yield() }
            release.signal()
            try await group.waitForAll()
        }
        // Results of single signatures are delivered in small groups.
        #expect(order.callers.firstIndex(of: "quiet") ?? .max < 20)
    }

    /// Returns whether the third of three signatures is refused, while the only thread makes the first.
    private func isThirdRefused(
        key: Int = 0,
        within limits: AdmissionLimits = AdmissionLimits(),
        after seconds: Double = 0
    ) async throws -> Bool {
        let clock = TestClock()
        let release = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let threads = SigningThreads(count: 1, batches: BatchTrial.off, clock: clock.service) { _ in
            begin.yield()
            _ = release.wait(timeout: .now() + 20)
        }
        let first = Task { try await sign(1, threads, key: key, within: limits) }
        var begins = begun.makeAsyncIterator()
        await begins.next()
        let second = Task { try await sign(2, threads, key: key, within: limits) }
        while threads.waiting < 1 { await Task.yield() }
        clock.advance(by: seconds)
        let third = Task {
            // If it may wait, its wait ends at once.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await sign(3, threads, key: key, within: limits)
        }
        var isRefused = false
        if case .failure(let error) = await third.result { isRefused = error is AdmissionRefusal }
        for _ in 0..<2 { release.signal() }
        for task in [first, second] { #expect(try await task.value) }
        return isRefused
    }

    @Test("After a pause of the machine signatures may wait")
    func aPauseCostsNoRefusal() async throws {
        #expect(try await !isThirdRefused(after: 5))
    }

    @Test(
        "Signatures with larger keys take more of the time that may be waited",
        // Two take half a millisecond with 2,048 bits, and one and a half with 3,072.
        arguments: [(0, false), (2, true)]
    )
    func largerKeysCostMore(key: Int, isRefused: Bool) async throws {
        #expect(try await isThirdRefused(key: key, within: AdmissionLimits(milliseconds: 1)) == isRefused)
    }

    /// Lets the only thread sign once, while others are submitted in this order, and returns how many it then signs at once.
    private func sizes(of keys: [Int]) async throws -> [Int] {
        try await withTemporaryDirectory { folder in
            let library = try await LaneLibrary(compiledIn: folder)
            let batches = BatchTrial.batches(SigningConfiguration(library: library.path))
            let lanes = try (0..<3).map { try #require(batches.batchKey(for: BatchTrial.signer($0).key)) }
            let sizes = Mutex<[Int]>([])
            let release = DispatchSemaphore(value: 0)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let threads = SigningThreads(count: 1, batches: batches, clock: .system) { size in
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
