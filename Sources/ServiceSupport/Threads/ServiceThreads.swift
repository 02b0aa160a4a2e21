import NIOCore

/// The number of threads that serve requests, and of those that sign.
package enum ServiceThreads {
    /// One per processor that the process may use, according to the system, its cgroup and its affinity.
    package static let count = max(1, min(System.coreCount, affinity ?? .max))

    /// Sets the numbers of threads in the process's one group of event loops and its one pool for what blocks.
    ///
    /// Call it once, before anything else. The default is one per processor of the machine and ignores the process's
    /// affinity.
    package static func prepare() {
        NIOSingletons.groupLoopCountSuggestion = count
        NIOSingletons.blockingPoolThreadCountSuggestion = count
    }

    /// The processors that the scheduler may give to the process, where the system tells (Linux, proc(5)).
    private static var affinity: Int? {
        (try? FileContent.read("/proc/self/status", atMost: 16 * 1024)).flatMap(affinity)
    }

    /// Counts the processors in the line `Cpus_allowed:`, a mask in hexadecimal.
    static func affinity(in status: [UInt8]) -> Int? {
        let name = Array("Cpus_allowed:".utf8)
        let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: name) }
        let digits = line?.dropFirst(name.count).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let count = digits?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0
        return count > 0 ? count : nil
    }
}
