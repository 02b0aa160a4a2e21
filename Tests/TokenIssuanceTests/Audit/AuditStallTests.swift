import FleetToken
import IssuanceTestSupport
import StrictCoding
import Synchronization
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// A trail whose writer runs when a test says so, by a clock that a test sets.
struct AuditStallTests {
    /// Calls to the writer, a clock, and what the trail says of itself.
    private final class Stage: Sendable {
        /// Lines that were written together.
        struct Batch: Equatable {
            let lines: Int
            let waited: Duration
        }

        private struct State {
            var jobs: [@Sendable () -> Void] = []
            var hasThread = true
            var refused = 0
            var stalls: [Bool] = []
            var batches: [Batch] = []
        }

        let clock = TestClock(at: 1_800_000_097)
        private let state = Mutex(State())

        var writing: AuditWriting {
            var writing = AuditWriting()
            writing.run = { job in
                self.state.withLock { state in
                    if state.hasThread { state.jobs.append(job) }
                    return state.hasThread
                }
            }
            writing.clock = clock.service
            writing.events.refused = { count in self.state.withLock { $0.refused += count } }
            writing.events.written = { lines, waited in
                self.state.withLock { $0.batches.append(Batch(lines: lines, waited: waited)) }
            }
            writing.events.stalled = { isStalled in self.state.withLock { $0.stalls.append(isStalled) } }
            return writing
        }

        var calls: Int { state.withLock { $0.jobs.count } }
        var refused: Int { state.withLock { $0.refused } }
        var batches: [Batch] { state.withLock { $0.batches } }
        var stalls: [Bool] { state.withLock { $0.stalls } }

        func setHasThread(_ hasThread: Bool) { state.withLock { $0.hasThread = hasThread } }

        /// Runs the writer as often as it was called.
        func write() {
            for job in state.withLock({ exchange(&$0.jobs, with: []) }) { job() }
        }

        /// Waits until the writer is called, and runs it.
        func writeWhenCalled() async {
            await call()
            write()
        }

        /// Waits until the writer is called.
        func call() async {
            while calls == 0 { await Task.yield() }
        }
    }

    /// A sink whose writes do something while they are under way.
    private struct Sink: AuditSink {
        let memory = MemorySink()
        let during: @Sendable () -> Void

        func lastLine() -> [UInt8]? { memory.lastLine() }
        func check() {}
        func write(_ bytes: [UInt8]) throws {
            during()
            try memory.write(bytes)
        }
    }

    private func append(_ trail: AuditTrail, _ id: String) -> Task<Void, any Error> {
        Task { try await trail.append(.sample(id)) }
    }

    @Test("A write is measured from the arrival of its first line, and a failed one is not", .watchdog)
    func eachWriteIsMeasuredFromItsFirstLine() async throws {
        let stage = Stage()
        let sink = Sink {}
        let trail = try AuditTrail(sink: sink, ids: .plain, stage.writing)
        let drafts = try (0..<5).map { try AuditRecord.sample("\($0)").line(ids: .plain) }
        let lines = Task { try await trail.append(drafts) }
        await stage.call()
        stage.clock.advance(by: 2)
        stage.write()
        try await lines.value
        #expect(stage.batches == [.init(lines: 5, waited: .seconds(2))])
        sink.memory.fail(1)
        let failed = append(trail, "failed")
        await stage.writeWhenCalled()
        await #expect(throws: (any Error).self) { try await failed.value }
        #expect(stage.batches.count == 1)
    }

    @Test("A line that the writer has not taken in time is withdrawn", .watchdog)
    func withdrawal() async throws {
        let (sink, stage) = (MemorySink(), Stage())
        let trail = try AuditTrail(sink: sink, ids: .plain, stage.writing)
        let line = append(trail, "withdrawn")
        await stage.call()
        stage.clock.advance(by: 3)
        trail.expire()
        await #expect(throws: AuditObstacle.overloaded) { try await line.value }
        #expect(stage.refused == 1)
        let next = append(trail, "next")
        // The writer was called before, and runs once.
        while sink.lines.isEmpty {
            await Task.yield()
            stage.write()
        }
        try await next.value
        #expect(sink.lines.compactMap { AuditLine($0.dropLast())?.sequence } == [1])
    }

    @Test("A writer for which there is no thread is called again", .watchdog)
    func missingThread() async throws {
        let (sink, stage) = (MemorySink(), Stage())
        let trail = try AuditTrail(sink: sink, ids: .plain, stage.writing)
        stage.setHasThread(false)
        let line = append(trail, "lost")
        while stage.refused == 0 {
            stage.clock.advance(by: 3)
            trail.expire()
            await Task.yield()
        }
        await #expect(throws: AuditObstacle.overloaded) { try await line.value }

        stage.setHasThread(true)
        let next = append(trail, "next")
        await stage.writeWhenCalled()
        try await next.value
        #expect(sink.lines.count == 1)
    }

    @Test(
        "A write that takes too long fails its requests; its lines stay in the chain",
        .watchdog,
        arguments: [false, true]
    )
    func slowWrite(fails: Bool) async throws {
        let stage = Stage()
        let hang = Mutex<(@Sendable () -> Void)?>(nil)
        let sink = Sink { hang.withLock { $0.take() }?() }
        let trail = try AuditTrail(sink: sink, ids: .plain, stage.writing)
        sink.memory.fail(fails ? 1 : 0)
        hang.withLock {
            $0 = {
                stage.clock.advance(by: 3)
                trail.expire()
            }
        }
        let late = append(trail, "late")
        await stage.writeWhenCalled()
        await #expect(throws: AuditObstacle.stalled) { try await late.value }
        #expect(stage.stalls == [true, false])
        let next = append(trail, "next")
        await stage.writeWhenCalled()
        try await next.value
        #expect(AuditChain.faults(sink.memory.file) == [])
        #expect(sink.memory.lines.count == (fails ? 1 : 2))
    }
}
