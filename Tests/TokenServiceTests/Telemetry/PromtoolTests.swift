import FleetToken
import Foundation
import TestSupport
import Testing

@testable import Telemetry
@testable import TokenIssuance
@testable import TokenService

/// Prometheus' own checker has the last word on the format and on the names.
@Suite(
    .enabled(
        if: Requirement.runs(where: Promtool.isInstalled),
        "promtool is not installed (Debian: apt-get install prometheus)"
    )
)
struct PromtoolTests {
    @Test(.timeLimit(.minutes(1)))
    func ownMetricsPassWithoutARemark() throws {
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(registry: registry, version: "1.0.0")
        metrics.requests[.tokenByID, .get, StatusLabel(status: 200)].increment()
        metrics.requestDuration[.tokenByID].record(.seconds(0.25))
        metrics.denied[.unknown, DenialLabel(.unknownKind)].increment()
        metrics.issuance.mintDuration[.driver, .signed].record(.seconds(0.5))
        metrics.issuance.signDuration[.local, .signed].record(.seconds(2))
        let result = try Promtool.check(registry.render())
        #expect(result == Promtool.Result(exitCode: 0, output: ""))
    }

    @Test(.timeLimit(.minutes(1)))
    func anyLabelPassesWithoutARemark() throws {
        let registry = PrometheusRegistry()
        let counter: @Sendable ([(name: String, value: String)]) -> Counter = registry.family("c_total", help: "C.")
        for value in ["\"", "\\", "\n", "\r", "\0", "\u{202E}", "🚚", "}"] { counter([("k", value)]).increment() }
        let gauge: @Sendable ([(name: String, value: String)]) -> Gauge = registry.family("m", help: "M.")
        gauge([("k", "1")]).set(.nan)
        gauge([("k", "2")]).set(-.infinity)
        let result = try Promtool.check(registry.render())
        #expect(result == Promtool.Result(exitCode: 0, output: ""))
    }
}

private enum Promtool {
    struct Result: Equatable {
        let exitCode: Int32
        let output: String
    }

    static var isInstalled: Bool { path != nil }

    private static var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/promtool" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs `promtool check metrics`, which reads a page from standard input and says what is wrong.
    static func check(_ page: [UInt8]) throws -> Result {
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appendingPathComponent("promtool-\(UUID().uuidString)")
        try Data(page).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = ["check", "metrics"]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(exitCode: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
    }
}
