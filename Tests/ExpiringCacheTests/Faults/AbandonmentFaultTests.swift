import TestTime
import TestTraits
import Testing
import Timing

@testable import ExpiringCache

@Suite("Fetches that never end, and sign-outs", .watchdog(seconds: 30))
struct AbandonmentFaultTests {
    @Test("Fetches that never end don't make their key unusable", .tags(.b48))
    func fetchesThatNeverEndDontMakeTheirKeyUnusable() async throws {
        let harness = Harness()
        let hung = try await hang(harness)
        guard case .failure(let error) = await harness.call() else {
            Issue.record("A fourth fetch was started")
            return
        }
        #expect(error.code == .stuck)
        let pause = try #require(error.retryAfter)
        #expect((0...60).contains(pause))
        harness.time.advance(by: pause)
        #expect(try await harness.fill(with: 7) == 7)
        for (fetch, task) in hung {
            fetch.succeed(0)
            await task.value
        }
        #expect(harness.cache.cachedValue(for: "a") == 7)
    }

    @Test("Hung fetches of many keys are forgotten", .tags(.b48))
    func hungFetchesOfManyKeysAreForgotten() {
        var fetches = AbandonedFetches<Int>(lifetime: 60)
        for key in 0..<100_000 {
            fetches.add(1, of: key, at: Instant(continuous: Int64(key), wall: 0))
            #expect(fetches.ends.count <= 129)
            #expect(fetches.count(of: key, at: Instant(continuous: Int64(key) + 59, wall: 0)).count == 1)
            #expect(fetches.count(of: key, at: Instant(continuous: Int64(key) + 60, wall: 0)).count == 0)
        }
    }

    @Test("A sign-out ends denials and their pauses", .tags(.b53), arguments: [1, 2, 5])
    func signOutEndsDenialsAndTheirPauses(_ denials: Int) async throws {
        let harness = Harness(jitter: 1)
        for _ in 0..<denials {
            await harness.fail(with: TestError.permanent)
            harness.time.advance(by: 61)
        }
        await harness.fail(with: TestError.permanent)
        #expect(await harness.call().code == .denied)
        harness.cache.removeAll()
        #expect(try await harness.fill() == 1)
    }

    /// Ten times a second for ten minutes.
    @Test("Signing out after each denial does not lift the limit on fetches", .tags(.b53))
    func signingOutAfterEachDenialIsNoWayToAskWithoutEnd() async throws {
        let harness = Harness()
        var fetches = 0
        for _ in 0..<6_000 {
            harness.cache.prefetch(["a"])
            if harness.log.starts > fetches {
                fetches += 1
                await harness.source.next().fail(TestError.permanent)
                await harness.log.wait(forEnds: fetches)
            }
            harness.cache.removeAll()
            harness.time.advance(by: 0.1)
        }
        #expect(fetches < 60)
    }

    /// Lets as many fetches hang as may.
    @discardableResult
    private func hang(_ harness: Harness) async throws -> [(fetch: TestSource.Fetch, task: Task<Void, Never>)] {
        var hung: [(fetch: TestSource.Fetch, task: Task<Void, Never>)] = []
        for _ in 0..<3 {
            let caller = await harness.caller()
            let fetch = await harness.source.next()
            hung.append((fetch, try #require(harness.fetchTask())))
            harness.time.advance(by: 10)
            #expect(await caller.failure?.code == .fetchTimedOut)
            harness.time.advance(by: 2)
        }
        return hung
    }
}
