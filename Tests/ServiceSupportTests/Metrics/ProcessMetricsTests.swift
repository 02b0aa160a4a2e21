#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import ServiceSupport

struct ProcessMetricsTests {
    @Test
    func `The page has this process's own numbers, and shows the processor's time as it is, not added up`() throws {
        let prometheus = PrometheusMetrics()
        let metrics = try #require(ProcessMetrics(factory: prometheus))
        for _ in 0..<3 { metrics.update() }
        let page = try MetricsPage(prometheus.page())
        #expect(try #require(page.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(page.value("process_open_fds")) >= 3)
        #expect(try #require(page.value("process_max_fds")) >= 64)
        #expect(abs(try #require(page.value("process_start_time_seconds")) - Date().timeIntervalSince1970) < 60)
        let status = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        let fields = try #require(status.split(separator: ") ").last).split(separator: " ").map { Double($0) ?? 0 }
        let seconds = (fields[11] + fields[12]) / Double(sysconf(Int32(_SC_CLK_TCK)))
        #expect(abs(try #require(page.value("process_cpu_seconds_total")) - seconds) < 5)
    }
}
#endif
