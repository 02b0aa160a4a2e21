public import Foundation

/// Runs a program that this package builds, from start to end.
///
/// Input and output go through files, so that neither side ever waits for the other to read.
public struct CommandRunner: Sendable {
    /// Where a program's standard output goes.
    public enum Output: Sendable {
        /// Into the outcome.
        case captured
        /// Into a pipe that nobody reads any more.
        case brokenPipe
        /// Into a file that is there.
        case file(String)
    }

    /// What a program did.
    public struct Outcome: Sendable {
        /// The exit status; for a signal its number with a minus.
        public let status: Int32
        /// What it wrote to standard output, if that was captured.
        public let output: [UInt8]
        /// What it wrote to standard error.
        public let errors: String

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// A program that did not end in time and was killed.
    public struct Timeout: Error, CustomStringConvertible {
        /// What it was and what it said.
        public let description: String
    }

    private let executable: URL
    private let directory: String
    private let timeLimit: Double

    /// A program by the name of its product.
    ///
    /// - Parameters:
    ///   - product: The name of an executable product that the tests depend on.
    ///   - directory: The folder to run it in, where files for its input and output are made too.
    ///   - timeLimit: Seconds after which it is killed: far more than it ever needs.
    public init(_ product: String, in directory: String, timeLimit: Double = 60) {
        executable = Self.products.appendingPathComponent(product)
        self.directory = directory
        self.timeLimit = timeLimit
    }

    /// Any other program, by its path.
    public init(path: String, in directory: String, timeLimit: Double = 60) {
        executable = URL(fileURLWithPath: path)
        self.directory = directory
        self.timeLimit = timeLimit
    }

    /// The folder of the programs: `FLEET_TOKEN_BUILD`, or the tests' own.
    public static var products: URL {
        if let path = ProcessInfo.processInfo.environment["FLEET_TOKEN_BUILD"] { return URL(fileURLWithPath: path) }
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" } ?? .main
        return bundle.bundleURL.deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - input: What it reads from standard input.
    ///   - environment: Variables besides those of the tests.
    ///   - output: Where its standard output goes.
    /// - Returns: What it did.
    /// - Throws: ``Timeout``, or an error when it cannot be started.
    public func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:],
        output: Output = .captured
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }

        let inputFile = try ScratchFile(in: directory, holding: input)
        let errorFile = try ScratchFile(in: directory)
        let sink = try OutputSink(output, in: directory)
        process.standardInput = inputFile.handle
        process.standardError = errorFile.handle
        process.standardOutput = sink.handle

        let hasTimedOut = try await end(of: process)
        let errors = String(decoding: try errorFile.contents(), as: UTF8.self)
        guard !hasTimedOut else {
            throw Timeout(
                description: "\(executable.lastPathComponent) \(arguments) ran for \(timeLimit) seconds: \(errors)"
            )
        }
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .exit ? status : -status,
            output: try sink.contents(),
            errors: errors
        )
    }

    /// Starts a process, waits for its end, and says whether it was killed because there was none.
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

/// A file that is gone when nobody needs it any more.
private final class ScratchFile {
    let handle: FileHandle
    private let url: URL

    init(in directory: String, holding bytes: [UInt8] = []) throws {
        url = URL(fileURLWithPath: directory).appendingPathComponent(".\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        handle = try FileHandle(forUpdating: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func contents() throws -> [UInt8] {
        Array(try Data(contentsOf: url))
    }
}

/// The writing end of a program's standard output, and how to get at what was written.
private struct OutputSink {
    let handle: FileHandle
    let contents: () throws -> [UInt8]

    init(_ output: CommandRunner.Output, in directory: String) throws {
        switch output {
        case .captured:
            let file = try ScratchFile(in: directory)
            handle = file.handle
            contents = file.contents
        case .brokenPipe:
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            handle = pipe.fileHandleForWriting
            contents = { [] }
        case .file(let path):
            handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            contents = { [] }
        }
    }
}
