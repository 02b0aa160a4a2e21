import Foundation
import Testing

@testable import ServiceSupport

struct ProcessStatusTests {
    private static let rest =
        "S 1 2 3 0 -1 4194304 100 0 5 0 250 50 0 0 20 0 9 0 12345 1000000 200 18446744073709551615 1 1 0\n"

    private func parsed(_ text: String) -> ProcessStatus? {
        ProcessStatus(parsing: Array(text.utf8), ticks: 100, pageSize: 4096)
    }

    @Test(arguments: ["(tokend)", "(a b)", "(a) S 1 (b)", "()"])
    func `Its numbers are those behind the name`(name: String) throws {
        let status = try #require(parsed("42 \(name) \(Self.rest)"))
        #expect(status.processorSeconds == 3)
        #expect(status.startedSeconds == 123.45)
        #expect(status.residentBytes == 200 * 4096)
    }

    @Test(arguments: ["", "42 tokend S 1", "42 (tokend)", "42 (tokend) S 1 2 3"])
    func `Anything else is no status`(text: String) {
        #expect(parsed(text) == nil)
    }

    #if os(Linux)
    @Test
    func `It is known of this process`() throws {
        let status = try #require(ProcessStatus.now)
        #expect(status.residentBytes > 1_000_000)
        #expect(try #require(ProcessStatus.openDescriptors) >= 3)
        #expect(try #require(ProcessStatus.openable) >= 64)
    }

    @Test
    func `The boot time is what the kernel says`() throws {
        let lines = try String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("btime ") })
        let expected = try #require(Double(line.dropFirst("btime ".count)))
        #expect(abs(ProcessStatus.bootTime - expected) < 2)
    }
    #endif
}
