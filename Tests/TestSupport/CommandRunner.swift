import Foundation

/// Runs a program of this machine, from start to end.
///
/// What it writes goes through a file, so that neither side ever waits for the other to read.
package struct CommandRunner: Sendable {
    /// What a program did.
    package struct Outcome: Sendable {
        /// The exit status; for a signal its number with a minus.
        package let status: Int32
        /// What it wrote to standard output and standard error.
        package let output: String
    }

    /// A program that did not end in time and was killed.
    package struct Timeout: Error, CustomStringConvertible {
        /// What it was and what it said.
        package let description: String
    }

    private let executable: URL
    private let directory: URL
    private let timeLimit: Double

    /// Creates a runner of the program at a path.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - directory: The folder to run it in, where the file for its output is made, too.
    ///   - timeLimit: Seconds after which it is killed: far more than it ever needs.
    package init(path: String, in directory: String, timeLimit: Double = 60) {
        executable = URL(fileURLWithPath: path)
        self.directory = URL(fileURLWithPath: directory)
        self.timeLimit = timeLimit
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameter arguments: Its arguments.
    /// - Returns: What it did.
    /// - Throws: ``Timeout``, or an error when it cannot be started.
    package func run(_ arguments: [String]) async throws -> Outcome {
        let file = directory.appendingPathComponent(".\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let written = try FileHandle(forWritingTo: file)

        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = written
        process.standardError = written

        let hasTimedOut = try await end(of: process)
        let output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard !hasTimedOut else {
            throw Timeout(
                description: "\(executable.lastPathComponent) \(arguments) ran for \(timeLimit) seconds: \(output)"
            )
        }
        let status = process.terminationStatus
        return Outcome(status: process.terminationReason == .exit ? status : -status, output: output)
    }

    /// Starts a process, waits for its end, and returns whether it was killed because there was none.
    private func end(of process: Process) async throws -> Bool {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        defer {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in ended {}
                try Task.checkCancellation()
                return false
            }
            group.addTask { [timeLimit] in
                try await Task.sleep(for: .seconds(timeLimit))
                return true
            }
            defer { group.cancelAll() }
            return try await group.next() ?? true
        }
    }
}
