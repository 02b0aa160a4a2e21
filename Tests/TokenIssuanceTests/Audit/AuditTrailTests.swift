import FleetToken
import Foundation
import IssuanceTestSupport
import StrictCoding
import TestSupport
import TestTraits
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance

struct AuditTrailTests {
    @Test("The line of an issued token has the documented fields and no others")
    func aLineHasTheseFieldsAndNoOthers() async throws {
        let sink = MemorySink()
        let trail = try AuditTrail(sink: sink, ids: .plain)
        try await trail.append(.sample())
        let zeros = String(repeating: "0", count: 64)
        let expected =
            #"{"v":1,"sequence":1,"time":1800000000,"requestId":"request-1","method":"jwt","caller":"app","#
            + #""subject":"driver-7","address":"192.0.2.1","kind":"driver","ids":["vehicle-1"],"decision":"allow","#
            + #""rule":"own-vehicle","keyId":"key-1","expiresAt":1800003540,"tokenSha256":""#
            + "e3316e2bafebb6103a3418e8778c0adc960d40213a03a7e7f4fcd3426ed807bf" + #"","reused":false,"previous":""#
            + zeros + "\"}\n"
        #expect(String(decoding: sink.file, as: UTF8.self) == expected)
    }

    @Test("Keyed IDs are equal where the IDs are, and reveal nothing")
    func keyedIDsAreEqualWhereTheIDsAreAndSayNothing() throws {
        let ids = AuditIDs.keyed(Secret([UInt8](repeating: 7, count: 32)))
        let first = ids.text(of: try ResourceID("vehicle-1"))
        #expect(first == ids.text(of: try ResourceID("vehicle-1")))
        #expect(first != ids.text(of: try ResourceID("vehicle-2")))
        #expect(first != AuditIDs.keyed(Secret([UInt8](repeating: 8, count: 32))).text(of: try ResourceID("vehicle-1")))
        #expect(first.wholeMatch(of: /hmac:[0-9a-f]{64}/) != nil)
        let line = try AuditRecord.sample().firstLine(ids: ids)
        #expect(!String(decoding: line, as: UTF8.self).contains("vehicle-1"))
    }

    @Test("A failed write leaves the chain unchanged")
    func aFailedWriteLeavesTheTrailAsItWas() async throws {
        let sink = MemorySink()
        let trail = try AuditTrail(sink: sink, ids: .plain)
        try await trail.append(.sample())
        sink.fail(2)
        await #expect(throws: CancellationError.self) { try await trail.append(.sample()) }
        await #expect(throws: CancellationError.self) { try await trail.append(.sample()) }
        try await trail.append(.sample())
        #expect(sink.lines.count == 2)
        #expect(AuditChain.faults(sink.file) == [])
    }

    @Test("Lines of many threads are one chain, each thread's in its order", .watchdog(seconds: 60))
    func linesFromManyThreadsAreOneChain() async throws {
        let sink = MemorySink()
        let writer = Worker()
        var writing = AuditWriting()
        writing.run = writer.run
        let trail = try AuditTrail(sink: sink, ids: .plain, writing)
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
        #expect(sink.lines.count == 1600)
        #expect(AuditChain.faults(sink.file) == [])
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
