import FleetToken
import Foundation
import NIOPosix
import ServiceLifecycle
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance

struct AuditTrailTests {
    @Test
    func `The line of an issued token has the documented fields and no others`() async throws {
        let sink = MemorySink()
        let trail = AuditTrail(sink: sink, instance: 0x9f2c_51d0_7ab3_e846)
        try await trail.append(.sample())
        let expected =
            #"{"v":1,"instance":"9f2c51d07ab3e846","sequence":2,"time":1800000000,"requestId":"request-1","method":"jwt","caller":"app","#
            + #""subject":"driver-7","address":"192.0.2.1","kind":"driver","ids":["vehicle-1"],"decision":"allow","#
            + #""rule":"own-vehicle","keyId":"key-1","expiresAt":1800003540,"tokenSha256":""#
            + "e3316e2bafebb6103a3418e8778c0adc960d40213a03a7e7f4fcd3426ed807bf" + #"","reused":false}"# + "\n"
        #expect(sink.lines.map { String(decoding: $0, as: UTF8.self) } == [expected])
    }

    @Test
    func `An instance has a first and a last line, which are counted as written`() async throws {
        let (sink, prometheus) = (MemorySink(), PrometheusMetrics())
        for instance in [1, UInt64.max] {
            let trail = AuditTrail(
                sink: sink,
                clock: .stopped(at: 1_800_000_000),
                metrics: AuditMetrics(sink: .file, factory: prometheus),
                instance: instance
            )
            let group = ServiceGroup(configuration: .init(services: [trail], logger: RecordedLog().logger))
            async let end: Void = group.run()
            await group.triggerGracefulShutdown()
            try await end
        }
        #expect(
            String(decoding: sink.file, as: UTF8.self) == """
                {"v":1,"instance":"0000000000000001","sequence":1,"time":1800000000,"event":"started"}
                {"v":1,"instance":"0000000000000001","sequence":2,"time":1800000000,"event":"stopped"}
                {"v":1,"instance":"ffffffffffffffff","sequence":1,"time":1800000000,"event":"started"}
                {"v":1,"instance":"ffffffffffffffff","sequence":2,"time":1800000000,"event":"stopped"}

                """
        )
        let labels = ["sink": "file", "result": "written"]
        #expect(try MetricsPage(prometheus.page()).value("fleet_token_audit_write_total", labels) == 4)
    }

    @Test
    func `A failed write leaves no gap`() async throws {
        let sink = MemorySink()
        let trail = AuditTrail(sink: sink)
        try await trail.append(.sample())
        sink.fail(2)
        await #expect(throws: CancellationError.self) { try await trail.append(.sample()) }
        await #expect(throws: CancellationError.self) { try await trail.append(.sample()) }
        try await trail.append(.sample())
        #expect(sink.lines.count == 2)
        #expect(AuditNumbers.faults(sink.file) == [])
    }

    @Test(.watchdog(seconds: 60))
    func `Lines of many threads are numbered once, each thread's in its order`() async throws {
        let sink = MemorySink()
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let trail = AuditTrail(sink: sink) { write in thread.submit { _ in write() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        try await trail.append(.sample("vehicle-\(thread)-\(number)"))
                        if number.isMultiple(of: 50) { try await trail.check() }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await thread.shutdownGracefully()
        #expect(sink.lines.count == 1600)
        #expect(AuditNumbers.faults(sink.file) == [])
        // Each thread's own lines are in its order.
        let ids = sink.lines.compactMap {
            try? JSONParser.parseObject($0.dropLast())["ids"]?.arrayValue?.first?.stringValue
        }
        for thread in 0..<8 {
            let numbers = ids.filter { $0.hasPrefix("vehicle-\(thread)-") }
            #expect(numbers == (0..<200).map { "vehicle-\(thread)-\($0)" })
        }
    }
}
