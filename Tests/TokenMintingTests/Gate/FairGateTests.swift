import FleetToken
import ServiceSupport
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct FairGateTests {
    /// Counts operations.
    private final class Operations: Sendable {
        private let state = Mutex((running: 0, most: 0, done: 0))

        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }

        func begin() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func end() {
            state.withLock { state in
                state.running -= 1
                state.done += 1
            }
        }
    }

    /// Slots that are occupied until they are released.
    private struct OccupiedSlots {
        private let opener: AsyncStream<Void>.Continuation
        private let tasks: [Task<Void, any Error>]

        /// Waits until all slots are occupied.
        init(of gate: FairGate, count: Int = 1) async {
            let (open, opener) = AsyncStream.makeStream(of: Void.self)
            let (inside, entered) = AsyncStream.makeStream(of: Void.self)
            self.opener = opener
            tasks = (0..<count).map { _ in
                Task {
                    try await gate.run(for: "a") {
                        entered.yield()
                        for await _ in open { break }
                    }
                }
            }
            var arrivals = inside.makeAsyncIterator()
            for _ in 0..<count { _ = await arrivals.next() }
        }

        func release() async throws {
            opener.finish()
            for task in tasks { try await task.value }
        }
    }

    private func gate(slots: Int = 1, maximumWaiting: Int = 10_000) -> FairGate {
        FairGate(
            slots: slots,
            maximumWaiting: maximumWaiting,
            duration: .microseconds(1),
            clock: .stopped()
        )
    }

    @Test
    func `Requests beyond the number that may wait are refused at once, and the others run`() async throws {
        let gate = gate(slots: 3, maximumWaiting: 0)
        let occupied = await OccupiedSlots(of: gate, count: 3)
        for _ in 0..<10 {
            await #expect {
                try await gate.run(for: "a") {}
            } throws: { error in
                (error as? GateRefusal)?.retryAfter ?? 0 >= 1
            }
        }
        try await occupied.release()
        try await gate.run(for: "a") {}
    }

    @Test
    func `A result that is no success does not make operations look quick`() async throws {
        let clock = TestClock()
        let gate = FairGate(slots: 1, duration: .milliseconds(100), clock: clock.service)
        for _ in 0..<1000 {
            try await gate.run(for: "a") {
            } isSuccess: {
                false
            }
        }
        let occupied = await OccupiedSlots(of: gate)
        let waiting = (0..<20).map { _ in Task { try await gate.run(for: "a") {} } }
        // Half a second of a tenth each, besides the one that runs.
        try await until { gate.waiting >= 6 }
        await #expect(throws: GateRefusal.self) { try await gate.run(for: "a") {} }
        try await occupied.release()
        for task in waiting { _ = try? await task.value }
    }

    @Test
    func `An operation that fails frees its slot`() async throws {
        let gate = gate(maximumWaiting: 0)
        for _ in 0..<10 {
            await #expect(throws: CancellationError.self) {
                try await gate.run(for: "a") { throw CancellationError() }
            }
        }
        #expect(try await gate.run(for: "a") { 1 } == 1)
    }

    @Test(arguments: [1, 4, 64])
    func `Never more operations run at once than there are slots, and all run`(parallel: Int) async throws {
        let gate = gate(slots: parallel)
        let operations = Operations()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    try await gate.run(for: "a") {
                        operations.begin()
                        await Task.yield()
                        operations.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(operations.most <= parallel && operations.done == 500)
    }

    @Test
    func `A task that is cancelled while it waits leaves the queue, and its operation does not run`() async throws {
        let gate = gate()
        let operations = Operations()
        let occupied = await OccupiedSlots(of: gate)
        let others = (0..<100).map { _ in
            Task {
                try await gate.run(for: "a") {
                    operations.begin()
                    operations.end()
                }
            }
        }
        try await until { gate.waiting >= 100 }
        for other in others.prefix(60) { other.cancel() }
        for other in others.prefix(60) {
            await #expect(throws: CancellationError.self) { _ = try await other.value }
        }
        #expect(gate.waiting == 40)
        try await occupied.release()
        for other in others.suffix(40) { _ = try await other.value }
        #expect(operations.done == 40)
    }

    @Test
    func `A task that was cancelled before does not wait`() async throws {
        let gate = gate()
        let occupied = await OccupiedSlots(of: gate)
        let other = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.run(for: "a") {}
        }
        await #expect(throws: CancellationError.self) { try await other.value }
        #expect(gate.waiting == 0)
        try await occupied.release()
    }
}
