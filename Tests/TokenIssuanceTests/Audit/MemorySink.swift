import Synchronization

@testable import TokenIssuance

/// Keeps lines in memory, and fails when a test says so.
final class MemorySink: AuditSink {
    private struct State {
        var lines: [[UInt8]] = []
        var writes = 0
        var failures = 0
    }

    private let state = Mutex(State())

    /// The lines of decisions, each with its newline.
    var lines: [[UInt8]] {
        state.withLock { $0.lines.filter { $0.firstRange(of: "\"event\"".utf8) == nil } }
    }

    /// How often something was written.
    var writes: Int { state.withLock { $0.writes } }

    /// The trail's file.
    var file: [UInt8] { state.withLock { Array($0.lines.joined()) } }

    /// Makes the next writes fail.
    func fail(_ count: Int) {
        state.withLock { $0.failures = count }
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                throw CancellationError()
            }
            state.lines += bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
            state.writes += 1
        }
    }

    func check() {}
}
