import Libc
import SystemPackage

/// The instructions of this machine's processor.
package struct Processor: Sendable {
    /// The environment variable with another file than `/proc/cpuinfo`, for tests.
    package static let variable = "TOKEND_CPUINFO"

    /// The instructions that crypto_mb uses: it takes for granted that they are there.
    static let neededForBatches: Set<String> = [
        "adx", "avx512bw", "avx512dq", "avx512f", "avx512ifma", "avx512_vbmi2", "avx512vl", "bmi2",
    ]

    /// The file that lists them.
    private let file: String
    /// nil if they are unknown.
    private let flags: Set<String>?

    /// Creates the instructions by their names in Linux (proc(5)); without that file they are unknown.
    package init(environment: [String: String] = [:]) {
        self.init(file: environment[Self.variable] ?? "/proc/cpuinfo")
    }

    init(file: String) {
        guard let bytes = Self.beginning(of: file) else {
            self.init(flags: nil, file: file)
            return
        }
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "flags".utf8) }
        let words = (line ?? []).split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        self.init(flags: Set(words.map { String(decoding: $0, as: UTF8.self) }), file: file)
    }

    init(flags: Set<String>?, file: String = "") {
        self.flags = flags
        self.file = file
    }

    /// Returns more of a file than the first processor's part; nil if it cannot be read.
    private static func beginning(of file: String) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(FilePath(file), .readOnly) else { return nil }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
        return Array(bytes.prefix(count))
    }

    /// Returns for how many nanoseconds the calling thread has run; time in which others ran instead does not count.
    static func threadNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Why no batches can be made; nil if they can.
    var reasonAgainstBatches: String? {
        guard let flags else { return "\(file), which lists the processor's instructions, cannot be read" }
        let missing = Self.neededForBatches.subtracting(flags).sorted()
        return missing.isEmpty ? nil : "the processor lacks \(missing.joined(separator: ", "))"
    }
}
