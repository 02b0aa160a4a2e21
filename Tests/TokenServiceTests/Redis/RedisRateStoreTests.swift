import Dispatch
import Logging
import ServiceLifecycle
import ServiceSupport
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import Telemetry
@testable import TokenIssuance
@testable import TokenService

/// The store against a Redis that the test holds in its hand.
struct RedisRateStoreTests {
    /// What the false Redis does, and what was asked of it.
    private final class Server: Sendable {
        struct State {
            var isReachable = true
            var replies: @Sendable ([RedisCommand]) throws(RedisFailure) -> [RedisReply] = { commands in
                commands.map { _ in .integer(0) }
            }
            var connections = 0
            var exchanges: [[RedisCommand]] = []
        }
        let state = Mutex(State())

        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    }

    private struct Session: RedisSession {
        let server: Server

        func exchange(_ commands: [RedisCommand]) throws(RedisFailure) -> [RedisReply] {
            let replies = server.state.withLock { state in
                state.exchanges.append(commands)
                return state.replies
            }
            return try replies(commands)
        }
    }

    private static let bucket = RateBucket(key: "k", interval: 1_000_000, capacity: 5_000_000)

    private let server = Server()
    private let recorder = RecordedLog()
    private let registry = PrometheusRegistry()

    /// Runs a store while the body does; each `look` lets it look at Redis once.
    private func withStore(_ body: (RedisRateStore, _ look: () async -> Void) async throws -> Void) async throws {
        let clock = TestClock()
        let store = RedisRateStore(
            prefix: "p:",
            metrics: RedisMetrics(registry: registry),
            clock: clock.service,
            logger: recorder.logger,
            connect: { [server] () throws(RedisFailure) in
                let isReachable = server.state.withLock { state in
                    state.connections += 1
                    return state.isReachable
                }
                guard isReachable else { throw .unreachable("Connection refused") }
                return Session(server: server)
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await store.run() }
            await clock.waitForSleepers()
            try await body(store) {
                clock.advance(by: 10)
                await clock.waitForSleepers()
            }
            group.cancelAll()
        }
    }

    private func isUp() -> Bool {
        String(decoding: registry.render(), as: UTF8.self).contains("\nfleet_token_redis_up 1\n")
    }

    private func messages() -> [String] {
        recorder.lines.map(\.text)
    }

    @Test(.watchdog)
    func itIsAwayUntilItRuns() async {
        let store = RedisRateStore(
            prefix: "p:",
            metrics: RedisMetrics(registry: registry),
            clock: .stopped(),
            logger: recorder.logger,
            connect: { [server] in Session(server: server) }
        )
        #expect(await store.take(Self.bucket) == .unavailable)
        #expect(server.state.withLock { $0.connections } == 0)
    }

    /// As looking up a name may, for which there is no time-out but the system's.
    @Test(.watchdog)
    func aConnectionThatHangsKeepsNoServiceFromEnding() async throws {
        let (attempts, attempt) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let store = RedisRateStore(
            prefix: "p:",
            metrics: RedisMetrics(registry: registry),
            clock: .stopped(),
            logger: recorder.logger,
            connect: { () throws(RedisFailure) in
                attempt.yield()
                gate.wait()
                throw .unreachable("late")
            }
        )
        let group = ServiceGroup(services: [store], logger: recorder.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in attempts { break }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        gate.signal()
    }

    @Test(.watchdog)
    func whatRedisSaysCounts() async throws {
        try await withStore { store, _ in
            #expect(isUp())
            #expect(await store.take(Self.bucket) == .taken)
            server.set { $0.replies = { _ in [.integer(1_000_000)] } }
            #expect(await store.take(Self.bucket) == .empty(seconds: 1))
            server.set { $0.replies = { _ in [.integer(1)] } }
            #expect(await store.take(Self.bucket) == .empty(seconds: 1))
            #expect(server.state.withLock { $0.exchanges.last } == [RateScript.byDigest(Self.bucket)])
        }
        #expect(messages().count == 1)
    }

    @Test(.watchdog)
    func aScriptThatIsNotKnownIsSent() async throws {
        try await withStore { store, _ in
            server.set { state in
                state.replies = { commands in
                    commands.map { $0 == RateScript.bySource(Self.bucket) ? .integer(0) : .error(code: "NOSCRIPT") }
                }
            }
            #expect(await store.take(Self.bucket) == .taken)
            #expect(isUp())
        }
    }

    @Test(
        .watchdog,
        arguments: [
            RedisReply.integer(-1), .integer(1_000_001), .integer(.max), .status, .error(code: "READONLY"),
        ]
    )
    func whatMakesNoSenseIsAnOutage(reply: RedisReply) async throws {
        try await withStore { store, _ in
            server.set { $0.replies = { commands in commands.map { _ in reply } } }
            #expect(await store.take(Self.bucket) == .unavailable)
            #expect(!isUp())
        }
        #expect(messages().count == 2)
    }

    @Test(.watchdog)
    func anOutageCostsNobodyATryAndIsNewsOnce() async throws {
        try await withStore { store, look in
            server.set { state in
                state.isReachable = false
                state.replies = { (_) throws(RedisFailure) in throw .timedOut }
            }
            #expect(await store.take(Self.bucket) == .unavailable)
            let before = server.state.withLock { ($0.connections, $0.exchanges.count) }
            for _ in 0..<100 { #expect(await store.take(Self.bucket) == .unavailable) }
            #expect(server.state.withLock { ($0.connections, $0.exchanges.count) } == before)
            for _ in 0..<3 { await look() }
            #expect(server.state.withLock { $0.connections } == before.0 + 3)
            server.set { state in
                state.isReachable = true
                state.replies = { commands in commands.map { _ in .integer(0) } }
            }
            await look()
            #expect(isUp())
            #expect(await store.take(Self.bucket) == .taken)
        }
        let messages = messages()
        // Each reason once, however often it was tried.
        try #require(messages.count == 4)
        #expect(messages[1].contains("Redis is unavailable"))
        #expect(messages[1].contains("the call timed out"))
        #expect(messages[2].contains("Connection refused"))
        #expect(messages[3].contains("Redis is available again"))
    }

    /// A connection that died while nobody asked is noticed before somebody does.
    @Test(.watchdog)
    func anOutageIsNoticedWithoutRequests() async throws {
        try await withStore { _, look in
            server.set { $0.replies = { (_) throws(RedisFailure) in throw .disconnected("Redis closed it") } }
            await look()
            #expect(!isUp())
        }
    }

    @Test(.watchdog)
    func whatComesMeanwhileGoesTogetherUpToABound() async throws {
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        try await withStore { store, _ in
            server.set { state in
                state.replies = { commands in
                    enter.yield()
                    gate.wait()
                    return commands.map { _ in .integer(0) }
                }
            }
            let results = await withTaskGroup(of: RateResult.self) { group in
                group.addTask { await store.take(Self.bucket) }
                var iterator = entered.makeAsyncIterator()
                await iterator.next()
                // Those beyond the bound are answered at once, while the thread is held up.
                for _ in 0..<(RedisRateStore.maximumWaiting + 10) { group.addTask { await store.take(Self.bucket) } }
                var results: [RateResult] = []
                for _ in 0..<10 { if let result = await group.next() { results.append(result) } }
                #expect(results == Array(repeating: .unavailable, count: 10))
                for _ in 0..<3 { gate.signal() }
                for await result in group { results.append(result) }
                return results
            }
            #expect(results.count { $0 == .taken } == RedisRateStore.maximumWaiting + 1)
            #expect(server.state.withLock { $0.exchanges.last?.count } == RedisRateStore.maximumWaiting)
        }
    }

    @Test func waitsGrowToABoundAndBeginAnewOnceRedisHasProved() {
        var backoff = RedisBackoff()
        #expect(backoff.wait(isUp: true, jitter: 0.5) == .seconds(1))
        var waits: [Duration] = []
        for _ in 0..<7 {
            backoff.failed()
            waits.append(backoff.wait(isUp: false, jitter: 0.5))
        }
        #expect(waits == [250, 500, 1000, 2000, 4000, 5000, 5000].map { .milliseconds($0) })
        #expect(backoff.wait(isUp: false, jitter: 1) > .seconds(5.9))
        backoff.reset()
        backoff.failed()
        #expect(backoff.wait(isUp: false, jitter: 0) == .milliseconds(200))
    }
}
