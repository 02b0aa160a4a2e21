import Foundation

/// Prometheus' own checker.
package enum Promtool {
    package struct Result: Equatable {
        package let exitCode: Int32
        package let output: String

        /// A page without a remark.
        package static let pass = Result(exitCode: 0, output: "")
    }

    private struct NotInstalled: Error {}

    package static var isInstalled: Bool { path != nil }

    private static var path: String? {
        // Where it is not installed, `make install-test` unpacks it.
        ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + [".build/tools/usr/bin"])
            .map { "\($0)/promtool" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs `promtool check metrics`, which reads a page from standard input and says what is wrong.
    package static func check(_ page: [UInt8]) throws -> Result {
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appendingPathComponent("promtool-\(UUID().uuidString)")
        try Data(page).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: try path ?? { throw NotInstalled() }())
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
