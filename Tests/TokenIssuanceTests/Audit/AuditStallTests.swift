import FleetToken
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// A trail whose writer runs when a test says so, by a clock that a test sets.
@Suite(.watchdog)
struct AuditStallTests {
    /// Calls to the writer, a clock, and what the trail says of itself.
    private final class Stage: Sendable {
        let clock = TestClock(at: 1_800_000_097)
        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let prometheus = PrometheusMetrics()

        func trail(_ sink: any AuditSink) -> AuditTrail {
            let metrics = AuditMetrics(sink: .file, factory: prometheus)
            return AuditTrail(sink: sink, clock: clock.service, metrics: metrics) { job in
                self.jobs.withLock { $0.append(job) }
            }
        }

        var calls: Int { jobs.withLock { $0.count } }

        /// The value of one of the trail's metrics.
        func value(_ name: String, _ labels: [String: String] = [:]) throws -> Double? {
            try MetricsPage(prometheus.page()).value("fleet_token_audit_\(name)", labels)
        }

        /// Runs the writer as often as it was called.
        func write() {
            for job in jobs.withLock({ exchange(&$0, with: []) }) { job() }
        }

        /// Waits until the writer is called, and runs it.
        func writeWhenCalled() async throws {
            try await call()
            write()
        }

        /// Waits until the writer is called.
        func call() async throws {
            try await until { calls > 0 }
        }
    }

    /// A sink whose writes do something while they are under way.
    private struct Sink: AuditSink {
        let memory = MemorySink()
        var isFull = false
        let during: @Sendable () -> Void

        func check() throws {
            if isFull { throw CancellationError() }
        }
        func write(_ bytes: [UInt8]) throws {
            during()
            try memory.write(bytes)
        }
    }

    private func append(_ trail: AuditTrail, _ id: String) -> Task<Void, any Error> {
        Task { try await trail.append(.sample(id)) }
    }

    @Test
    func `A failed check of a trail without requests is counted as failed`() async throws {
        let stage = Stage()
        let trail = stage.trail(Sink(isFull: true) {})
        for count in 1...2 {
            let check = Task { try await trail.check() }
            try await stage.writeWhenCalled()
            await #expect(throws: (any Error).self) { try await check.value }
            #expect(try stage.value("write_total", ["sink": "file", "result": "failed"]) == Double(count))
        }
    }

    @Test
    func `Each line is counted as written or failed`() async throws {
        let stage = Stage()
        let sink = Sink {}
        let trail = stage.trail(sink)
        let lines = (0..<5).map { append(trail, "\($0)") }
        while sink.memory.lines.count < 5 { try await stage.writeWhenCalled() }
        for line in lines { try await line.value }
        sink.memory.fail(1)
        let failed = append(trail, "failed")
        try await stage.writeWhenCalled()
        await #expect(throws: (any Error).self) { try await failed.value }
        // The instance's first line is one of the written ones.
        for (result, count) in [("written", 6.0), ("failed", 1), ("refused", 0)] {
            #expect(try stage.value("write_total", ["sink": "file", "result": result]) == count)
        }
    }

    @Test
    func `A line that the writer has not taken in time is withdrawn`() async throws {
        let (sink, stage) = (MemorySink(), Stage())
        let trail = stage.trail(sink)
        let line = append(trail, "withdrawn")
        try await stage.call()
        stage.clock.advance(by: 3)
        trail.expire()
        await #expect(throws: AuditTrail.WriteError.overloaded) { try await line.value }
        #expect(try stage.value("write_total", ["sink": "file", "result": "refused"]) == 1)
        let next = append(trail, "next")
        // The writer was called before, and runs once.
        try await until {
            stage.write()
            return !sink.lines.isEmpty
        }
        try await next.value
        // After the first line of the instance.
        #expect(try sink.lines.map { try JSONParser.parseObject($0.dropLast())["sequence"] } == [.integer(2)])
    }

    @Test(arguments: [false, true])
    func `A write that takes too long fails its requests; its lines leave no gap`(fails: Bool) async throws {
        let stage = Stage()
        let hang = Mutex<(@Sendable () -> Void)?>(nil)
        let sink = Sink { hang.withLock { $0.take() }?() }
        let trail = stage.trail(sink)
        sink.memory.fail(fails ? 1 : 0)
        hang.withLock {
            $0 = {
                stage.clock.advance(by: 3)
                trail.expire()
            }
        }
        let late = append(trail, "late")
        try await stage.writeWhenCalled()
        await #expect(throws: AuditTrail.WriteError.stalled) { try await late.value }
        #expect(try stage.value("write_total", ["sink": "file", "result": "refused"]) == 1)
        let next = append(trail, "next")
        try await stage.writeWhenCalled()
        try await next.value
        #expect(AuditNumbers.faults(sink.memory.file) == [])
        #expect(sink.memory.lines.count == (fails ? 1 : 2))
    }
}
