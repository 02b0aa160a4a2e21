import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Callers that are cancelled", .watchdog)
struct CancellationFaultTests {
    @Test("Cancelled callers don't fail the others", .tags(.b2), arguments: 1..<15)
    func cancelledCallersDontFailTheOthers(_ subset: Int) async throws {
        let harness = Harness()
        var callers: [Task<Int, any Error>] = []
        for _ in 0..<4 { callers.append(await harness.caller()) }
        for (index, caller) in callers.enumerated() where subset & 1 << index != 0 {
            caller.cancel()
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        await harness.source.next().succeed(7)
        for (index, caller) in callers.enumerated() where subset & 1 << index == 0 {
            #expect(try await caller.value == 7)
        }
        #expect(harness.source.started == 1)
    }

    @Test("A fetch outlives the caller who started it", .tags(.b3))
    func fetchOutlivesTheCallerWhoStartedIt() async throws {
        let harness = Harness()
        let leader = await harness.caller()
        leader.cancel()
        _ = await leader.result
        await harness.source.next().succeed(1)
        await harness.log.wait(forEnds: 1)
        #expect(harness.cache.cachedValue(for: "a") == 1)
        harness.time.advance(by: 800)
        #expect(await harness.call().value == 1)
        await harness.source.next().succeed(2)
        await harness.log.wait(forEnds: 2)
        #expect(harness.cache.cachedValue(for: "a") == 2)
    }

    @TaskLocal static var callersSecret: String?

    @Test("A fetch inherits nothing", .tags(.b3))
    func fetchInheritsNothing() async throws {
        let cache = ExpiringCache<String, String?>(configuration: .patient) { _, _ in
            Fetched(Task.isCancelled ? "cancelled" : Self.callersSecret, lifetime: 60)
        }
        let value = try await Self.$callersSecret.withValue("mine") { try await cache.value(for: "a") }
        #expect(value == nil)
    }

    @Test("The end of an abandoned fetch doesn't touch the next one", .tags(.b4))
    func endOfAnAbandonedFetchDoesntTouchTheNextOne() async throws {
        let harness = Harness()
        _ = await harness.caller()
        let first = await harness.source.next()
        let firstTask = try #require(harness.fetchTask())
        harness.cache.removeAll()
        let caller = await harness.caller()
        let second = await harness.source.next()
        first.succeed(1)
        await firstTask.value
        let joiner = await harness.caller()
        second.succeed(2)
        #expect(try await caller.value == 2)
        #expect(try await joiner.value == 2)
        #expect(harness.source.started == 2)
    }

    enum Ending: CaseIterable {
        case result, cancellation, timeout, removal
    }

    static let orders = Ending.allCases.flatMap { first in
        Ending.allCases.filter { $0 != first }.flatMap { second in
            Ending.allCases.filter { $0 != first && $0 != second }.map { [first, second, $0] }
        }
    }

    /// A continuation that is resumed twice ends the process.
    @Test("A caller gets one result, in any order of events", .tags(.b23, .b42), arguments: orders)
    func callerIsAnsweredOnceWhateverComesFirst(_ endings: [Ending]) async {
        let harness = Harness { $0.callTimeout = 5 }
        let caller = await harness.caller()
        let fetch = await harness.source.next()
        let task = harness.fetchTask()
        for ending in endings {
            switch ending {
            case .result:
                fetch.succeed(1)
                await task?.value
            case .cancellation:
                caller.cancel()
                caller.cancel()
            case .timeout: harness.time.advance(by: 5)
            case .removal: harness.cache.removeAll()
            }
        }
        switch await caller.result {
        case .success: #expect(endings[0] == .result)
        case .failure(let error): #expect((error is CancellationError) == (endings[0] == .cancellation))
        }
        #expect(harness.cache.core.withLock { $0.waiters.isEmpty })
    }

    @Test("A caller who was cancelled before starts nothing", .tags(.b41))
    func callerWhoWasCancelledBeforeStartsNothing() async {
        let harness = Harness()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await harness.cache.value(for: "a")
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(harness.log.starts == 0)
    }
}
