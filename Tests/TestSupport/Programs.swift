import Foundation

/// A program of this machine that has run to its end.
package struct ProgramRun: Equatable {
    package let status: Int32
    /// What it wrote to standard output and standard error.
    package let output: String

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments.
    ///   - input: What it reads from standard input.
    /// - Throws: What the file system or the start of the program throws.
    package init(_ path: String, _ arguments: [String], input: [UInt8] = []) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("input-\(UUID().uuidString)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = String(decoding: text, as: UTF8.self)
    }
}

/// Prometheus's own checker.
package enum Promtool {
    private struct NotInstalled: Error {}

    package static var isInstalled: Bool { path != nil }

    private static var path: String? {
        // Where it is not installed, `make install-test` unpacks it.
        ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + [".build/tools/usr/bin"])
            .map { "\($0)/promtool" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs `promtool check metrics` on a page, and returns its remarks; empty if it has none.
    package static func remarks(_ page: [UInt8]) throws -> String {
        let run = try ProgramRun(try path ?? { throw NotInstalled() }(), ["check", "metrics"], input: page)
        return run.status == 0 ? run.output : "status \(run.status): \(run.output)"
    }
}

/// What a test needs of the machine.
public enum Requirement {
    /// Whether a test runs: where what it needs is there, and always in CI, where it then fails instead of being skipped.
    ///
    /// - Parameter isMet: Whether what the test needs is there.
    /// - Returns: The condition for `.enabled(if:)`.
    public static func runs(where isMet: Bool) -> Bool {
        isMet || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }

    /// Whether a test that needs a file runs.
    public static func runs(with path: String) -> Bool {
        runs(where: FileManager.default.fileExists(atPath: path))
    }
}
