import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import StrictCoding
import TestSupport
import TestTraits
import Testing

@testable import TokenIssuance

/// Refusals past a limit come on record together: none is lost, and none has a line of its own.
@Suite(.watchdog)
struct RefusalReporterTests {
    private let tally = RefusalTally(maximumOrigins: 3, clock: .stopped(at: 1_800_000_000))
    private let sink = MemorySink()
    private let log = RecordedLog()

    private func reporter() throws -> RefusalReporter {
        let trail = AuditTrail(sink: sink)
        return RefusalReporter(
            tally: tally,
            audit: { trail },
            clock: .stopped(at: 1_800_000_060),
            logger: log.logger
        )
    }

    private var lines: [JSONObject] {
        get throws { try sink.lines.map { try JSONParser.parseObject($0.dropLast()) } }
    }

    @Test("Each caller and address with counted refusals gets one line for each reason")
    func aLineForEachParty() async throws {
        for _ in 0..<1000 { _ = tally.add(.address("192.0.2.1"), .rateLimited) }
        let app = RefusalOrigin.caller(.jwt, name: "app", subject: "driver-7")
        for _ in 0..<10 { _ = tally.add(app, .rateLimited) }
        for _ in 0..<20 { _ = tally.add(app, .overloaded) }
        let reporter = try reporter()
        await reporter.report()
        await reporter.report()
        #expect(sink.writes == 1)
        let counts = try lines.reduce(into: [String: JSONValue]()) { counts, line in
            let texts = ["caller", "address", "decision", "rule"].map { line[$0]?.stringValue ?? "" }
            counts[texts.joined(separator: " ")] = line["count"]
        }
        #expect(
            counts == [
                " 192.0.2.1 deny RATE_LIMITED": .integer(1000), "app  deny RATE_LIMITED": .integer(10),
                "app  error OVERLOADED": .integer(20),
            ]
        )
        for line in try lines {
            #expect(
                line.names == [
                    "v", "instance", "sequence", "time", "since", "method", "caller", "subject", "address", "decision",
                    "rule",
                    "count",
                ]
            )
            #expect(line["since"] == .integer(1_800_000_000) && line["time"] == .integer(1_800_000_060))
        }
        #expect(AuditNumbers.faults(sink.file) == [])
        #expect(log.lines.count == 3)
        // Whose token it was is for the trail only.
        #expect(!log.lines.contains { $0.text.contains("driver-7") })
    }

    @Test("Counts that cannot be written are written later, with the time of the first")
    func whatCannotBeWrittenIsWrittenLater() async throws {
        for _ in 0..<5 { _ = tally.add(.address("192.0.2.1"), .rateLimited) }
        sink.fail(1)
        let reporter = try reporter()
        await reporter.report()
        #expect(sink.lines.isEmpty)
        #expect(log.lines.map(\.level) == [.error])
        let later = NumericDate(seconds: 1_800_000_030)
        tally.add(RefusalSummary(origin: .address("192.0.2.1"), reason: .rateLimited, count: 1, since: later))
        await reporter.report()
        #expect(try lines.map { $0["count"] } == [.integer(6)])
        #expect(try lines.map { $0["since"] } == [.integer(1_800_000_000)])
    }

    @Test("At shutdown the counts are written")
    func whatWasCountedIsOnRecordWhenTheServiceEnds() async throws {
        for _ in 0..<5 { _ = tally.add(.address("192.0.2.1"), .rateLimited) }
        let reporter = try reporter()
        let group = ServiceGroup(configuration: .init(services: [reporter], logger: log.logger))
        async let end: Void = group.run()
        await group.triggerGracefulShutdown()
        try await end
        #expect(try lines.map { $0["count"] } == [.integer(5)])
    }
}
