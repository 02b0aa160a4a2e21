import Dispatch
import FleetToken
import ServiceSupport
import StrictCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times each step of a request's way in process.
///
///     MintBenchmark [--only NAME] [--seconds SECONDS | --count COUNT] [--keys FOLDER]
///
/// It prints a line for each: the name, nanoseconds an operation by the clock, the same by the CPU time of the process,
/// and how many operations. With a count it does exactly so many, for tools that count instructions. A folder keeps the key for the next time: making one costs more or less.
@main
enum MintBenchmark {
    /// Waits for the work on the main thread: an asynchronous `main` would end it, which callgrind does not survive.
    nonisolated static func main() {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run()
            } catch {
                print(error)
                exit(1)
            }
            isDone.signal()
        }
        isDone.wait()
    }

    private nonisolated static func run() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        var only: String?
        var seconds = 1.0
        var count: Int?
        var keys: String?
        while let option = arguments.popFirst() {
            switch (option, arguments.popFirst()) {
            case ("--only", let name?): only = name
            case ("--seconds", let text?): seconds = Double(text) ?? seconds
            case ("--keys", let path?): keys = path
            case ("--count", let text?): count = Int(text)
            default: usage()
            }
        }
        let folder = "\(FileManager.default.temporaryDirectory.path)/mint-benchmark-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let operations = try Operations(folder: folder, keys: keys ?? folder).all.filter {
            only == nil || $0.name == only
        }
        guard !operations.isEmpty else { usage() }
        for operation in operations {
            let (done, duration, cpu) = try await measure(operation, count: count, seconds: seconds)
            let nanoseconds = [duration, cpu].map { Int(($0 / .nanoseconds(1) / Double(done)).rounded()) }
            print("\(operation.name)\t\(nanoseconds[0])\t\(nanoseconds[1])\t\(done)")
        }
    }

    private typealias Measurement = (count: Int, duration: Duration, cpu: Duration)

    /// Runs an operation, in batches of growing size until one lasts long enough; that one counts.
    private static func measure(_ operation: Operation, count: Int?, seconds: Double) async throws -> Measurement {
        if let count { return try await time(operation, 0..<count) }
        var measurement = try await time(operation, 0..<16)
        var first = 16
        while measurement.duration < .seconds(seconds) {
            let wanted = Double(measurement.count) * (.seconds(seconds) / max(measurement.duration, .microseconds(1)))
            let size = Int(min(wanted * 1.05 + 1, Double(measurement.count) * 64))
            measurement = try await time(operation, first..<first + size)
            first += size
        }
        return measurement
    }

    private static func time(_ operation: Operation, _ range: Range<Int>) async throws -> Measurement {
        let start = ContinuousClock.now
        let startOfCPU = clock()
        try await operation.run(range)
        let cpu = Duration.microseconds(clock() - startOfCPU) * (1_000_000 / Int(CLOCKS_PER_SEC))
        return (range.count, start.duration(to: .now), cpu)
    }

    private static func usage() -> Never {
        print("usage: MintBenchmark [--only NAME] [--seconds SECONDS | --count COUNT] [--keys FOLDER]")
        exit(2)
    }
}
