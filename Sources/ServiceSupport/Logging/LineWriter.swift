import Dispatch
import NIOPosix
import Synchronization

/// Writes whole lines to a stream on a thread of its own, so that a stalled reader blocks only that thread.
///
/// Lines wait up to a size limit. Further lines are dropped, and one line reports their number when there is
/// room again. A crash loses the lines that wait. The audit trail must not lose lines, and has a queue of its own.
package final class LineWriter: Sendable {
    package static let standardOutput = LineWriter(.standardOutput, on: startedThread())
    package static let standardError = LineWriter(.standardError, on: startedThread())

    private struct State {
        /// The lines that wait, each with its line feed.
        var bytes: [UInt8] = []
        /// The number of lines dropped after these.
        var dropped = 0
        /// Whether the thread is writing or has been called.
        var isWriting = false
        var hasWritten = false
        /// Formats the line that reports dropped lines.
        var notice: (@Sendable (_ count: Int) -> [UInt8])?
    }

    /// Written to in turns, which other writers take too.
    private let output: LineOutput
    /// The maximum size of the waiting lines, in bytes.
    private let limit: Int
    private let thread: NIOThreadPool
    private let state = Mutex(State())

    /// Creates a writer on a pool of one thread.
    init(_ output: LineOutput, limit: Int = 1024 * 1024, on thread: NIOThreadPool) {
        self.output = output
        self.limit = limit
        self.thread = thread
    }

    private static func startedThread() -> NIOThreadPool {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        return thread
    }

    /// Sets the function that formats the line about dropped lines.
    func reportDrops(_ notice: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        state.withLock { $0.notice = notice }
    }

    /// Queues a line, which ends with a line feed, without blocking.
    ///
    /// A line that cannot be written is lost, because there is no better place to report it.
    package func writeLine(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            state.hasWritten = true
            // Once a line is dropped, so are all further ones until the others are written: the gap is in one place.
            if state.dropped == 0, state.bytes.isEmpty || state.bytes.count + line.count <= limit {
                state.bytes += line
            } else {
                state.dropped += 1
            }
            return !exchange(&state.isWriting, with: true)
        }
        if isFirst { thread.submit { _ in self.drain() } }
    }

    /// Writes until there are no lines.
    private func drain() {
        while true {
            let (bytes, dropped, notice) = state.withLock { state in
                let lines = (exchange(&state.bytes, with: []), exchange(&state.dropped, with: 0), state.notice)
                state.isWriting = !lines.0.isEmpty || lines.1 > 0
                return lines
            }
            if bytes.isEmpty, dropped == 0 { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                let lines = Self.turn(of: rest)
                try? output.writeLines(Array(lines))
                rest = rest[lines.endIndex...]
            }
            if dropped > 0, let notice { try? output.writeLines(notice(dropped)) }
        }
    }

    /// Returns the whole lines of the first 16 KiB, or the first line if it is longer: the audit trail may wait for them.
    static func turn(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let lineFeed = UInt8(ascii: "\n")
        let end = lines.prefix(16 * 1024).lastIndex(of: lineFeed) ?? lines.firstIndex(of: lineFeed)
        return end.map { lines[...$0] } ?? lines
    }

    /// Waits until all lines of both standard streams are written, or a second per stream has passed.
    package static func flushAll() {
        standardError.flush(within: 1)
        standardOutput.flush(within: 1)
    }

    /// Waits until all queued lines are written, or the time is over; for the end of a process.
    package func flush(within seconds: Double) {
        guard state.withLock({ $0.hasWritten }) else { return }
        let done = DispatchSemaphore(value: 0)
        thread.submit { _ in done.signal() }
        _ = done.wait(timeout: .now() + seconds)
    }
}
