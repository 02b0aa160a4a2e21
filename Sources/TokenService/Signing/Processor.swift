import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The instructions of this machine's processor.
package struct Processor: Sendable {
    /// The environment variable with another file than `/proc/cpuinfo`, for tests.
    package static let variable = "TOKEND_CPUINFO"

    /// The instructions that crypto_mb uses: it takes for granted that they are there.
    static let neededForBatches: Set<String> = [
        "adx", "avx512bw", "avx512dq", "avx512f", "avx512ifma", "avx512_vbmi2", "avx512vl", "bmi2",
    ]

    private let flags: Set<String>

    /// Creates the instructions by their names in Linux (proc(5)); a system without that file has none of them.
    package init(environment: [String: String] = [:]) {
        self.init(file: environment[Self.variable] ?? "/proc/cpuinfo")
    }

    init(file: String) {
        var bytes: [UInt8] = []
        if let file = try? FileDescriptor.open(FilePath(file), .readOnly) {
            defer { try? file.close() }
            // More than the first processor's part.
            bytes = [UInt8](repeating: 0, count: 16 * 1024)
            let count = (try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
            bytes.removeLast(bytes.count - count)
        }
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "flags".utf8) }
        let words = (line ?? []).split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        self.init(flags: Set(words.map { String(decoding: $0, as: UTF8.self) }))
    }

    init(flags: Set<String>) {
        self.flags = flags
    }

    /// Returns for how many nanoseconds the calling thread has run; time in which others ran instead does not count.
    static func threadNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The instructions that are missing for batches, sorted.
    var missingForBatches: [String] { Self.neededForBatches.subtracting(flags).sorted() }
}
