import ServiceSupport
import Synchronization
import TestSupport
import TestTools
import Testing

/// Values that are fetched again as they age.
@Suite(.watchdog(seconds: 30))
struct RefreshingTests {
    private struct Failed: RefreshFailure, Equatable {
        var retryAfter: Duration?
    }

    /// A server whose value is the number of the request.
    private final class Source: Sendable {
        private struct State {
            var requests = 0
            var failure: Failed?
            var isSilent = false
            var cancelled = 0
        }

        private let state = Mutex(State())

        var requests: Int { state.withLock { $0.requests } }
        var cancelled: Int { state.withLock { $0.cancelled } }

        func fail(_ failure: Failed? = Failed()) { state.withLock { $0.failure = failure } }
        func beSilent() { state.withLock { $0.isSilent = true } }

        func fetch() async throws(Failed) -> Fresh<Int> {
            let (requests, failure, isSilent) = state.withLock { state in
                state.requests += 1
                return (state.requests, state.failure, state.isSilent)
            }
            if isSilent {
                try? await Task.sleep(for: .seconds(3600))
                state.withLock { $0.cancelled += 1 }
                throw Failed()
            }
            if let failure { throw failure }
            return Fresh(requests, lifetime: .seconds(1000), refreshAfter: .seconds(100))
        }
    }

    private let clock = TestClock()
    private let source = Source()

    private func makeValue(_ change: (inout RefreshPolicy) -> Void = { _ in }) -> Refreshing<Int, Failed> {
        var policy = RefreshPolicy()
        change(&policy)
        return Refreshing(policy, clock: clock.service) { [source] () async throws(Failed) in try await source.fetch() }
    }

    private func error(
        of value: Refreshing<Int, Failed>,
        youngerThan age: Duration? = nil
    ) async -> RefreshError<Failed>? {
        do throws(RefreshError<Failed>) {
            _ = try await value.value(youngerThan: age)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `Callers that wait at once share one fetch`() async throws {
        let value = makeValue()
        let values = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { try? await value.value() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == [Int?](repeating: 1, count: 50))
        #expect(value.waiting == 0)
    }

    @Test
    func `A value's age is the time on the clock on which more passed`() async throws {
        let value = makeValue()
        #expect(value.current == nil)
        _ = try await value.value()
        clock.advance(by: 7)
        #expect(value.current?.value == 1 && value.current?.age == .seconds(7))
        // The wall clock counts if more time passed on it, and takes no age away.
        clock.setWallClock(by: 60)
        #expect(value.current?.age == .seconds(67))
        clock.setWallClock(by: -3600)
        #expect(value.current?.age == .seconds(7))
        clock.setWallClock(by: 7200)
        #expect(value.current == nil)
    }

    @Test
    func `A value that is due is returned, and refreshed in the background`() async throws {
        let value = makeValue()
        _ = try await value.value()
        clock.advance(by: 99)
        #expect(try await value.value() == 1 && source.requests == 1)
        clock.advance(by: 1)
        #expect(try await value.value() == 1)
        try await until { value.current?.value == 2 }
        #expect(source.requests == 2 && value.current?.age == .zero)
    }

    @Test
    func `A value that is older than the caller wants is fetched`() async throws {
        let value = makeValue()
        _ = try await value.value()
        clock.advance(by: 10)
        #expect(try await value.value(youngerThan: .seconds(11)) == 1)
        #expect(try await value.value(youngerThan: .seconds(10)) == 2)
    }

    @Test
    func `While fetches fail, the last value stays valid for its lifetime`() async throws {
        let value = makeValue()
        _ = try await value.value()
        source.fail()
        clock.advance(by: 999)
        #expect(try await value.value() == 1)
        #expect(await error(of: value, youngerThan: .seconds(1))?.cause == Failed())
        clock.advance(by: 1)
        // The pause that was right with a good value is over.
        #expect(await error(of: value)?.retryAfter == .milliseconds(750))
        #expect(source.requests == 3)
    }

    @Test
    func `A failed refresh of a valid value is followed by a pause`() async throws {
        let value = makeValue()
        _ = try await value.value()
        source.fail()
        clock.advance(by: 50)
        for _ in 0..<3 { #expect(await error(of: value, youngerThan: .seconds(1))?.retryAfter == .seconds(10)) }
        clock.advance(by: 4)
        #expect(await error(of: value, youngerThan: .seconds(1))?.retryAfter == .seconds(6))
        #expect(source.requests == 2)
        source.fail(nil)
        clock.advance(by: 6)
        #expect(try await value.value(youngerThan: .seconds(1)) == 3)
    }

    @Test
    func `Pauses without a value grow to their maximum`() async throws {
        let value = makeValue()
        source.fail()
        // A draw of one half takes a quarter away.
        for seconds in [0.75, 1.5, 3, 6, 12, 24, 45, 45] {
            let error = await error(of: value)
            #expect(error?.retryAfter == .seconds(seconds))
            clock.advance(by: seconds)
        }
        #expect(source.requests == 8)
        source.fail(nil)
        #expect(try await value.value() == 9)
    }

    @Test(arguments: [(30, 30), (86_400, 60), (-5, 0.75), (0, 0.75)] as [(Double, Double)])
    func `A server's Retry-After is honored within bounds`(asked: Double, pause: Double) async throws {
        let value = makeValue()
        source.fail(Failed(retryAfter: .seconds(asked)))
        #expect(await error(of: value)?.retryAfter == .seconds(pause))
    }

    @Test
    func `A fetch that takes too long is cancelled`() async throws {
        let value = makeValue()
        source.beSilent()
        async let error = error(of: value)
        try await clock.waitForSleepers()
        clock.advance(by: 5)
        let late = await error
        #expect(late?.cause == nil && late?.retryAfter == .milliseconds(750))
        #expect(source.cancelled == 1)
    }

    @Test
    func `Callers past the limit of waiting ones are refused`() async throws {
        let value = makeValue { $0.maximumWaiting = 3 }
        source.beSilent()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = await error(of: value) } }
            try await until { value.waiting >= 3 }
            #expect(await error(of: value)?.retryAfter == .seconds(1))
            try await clock.waitForSleepers()
            clock.advance(by: 5)
        }
        #expect(value.waiting == 0 && source.requests == 1)
    }

    @Test
    func `A cancelled caller stops waiting, and the fetch goes on for others`() async throws {
        let value = makeValue()
        source.beSilent()
        let cancelled = Task { await error(of: value) }
        let other = Task { await error(of: value) }
        try await until { value.waiting >= 2 }
        cancelled.cancel()
        #expect(await cancelled.value != nil)
        try await until { value.waiting <= 1 }
        #expect(value.isFetching && source.cancelled == 0)
        try await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(await other.value?.retryAfter == .milliseconds(750))
        #expect(value.waiting == 0 && source.requests == 1)
    }

    @Test
    func `A removed value is fetched again`() async throws {
        let value = makeValue()
        _ = try await value.value()
        value.remove()
        #expect(value.current == nil)
        #expect(try await value.value() == 2)
    }
}
