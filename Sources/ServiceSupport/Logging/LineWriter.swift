import Dispatch
import Synchronization

/// Writes whole lines to a file descriptor on a thread of its own, so that a stalled reader blocks only that thread.
///
/// Lines wait up to a size limit. Further lines are dropped and counted, and one line reports their number when there is
/// room again. A crash loses the lines of the last few milliseconds.
package final class LineWriter: Sendable {
    package static let standardOutput = LineWriter(descriptor: STDOUT_FILENO)
    package static let standardError = LineWriter(descriptor: STDERR_FILENO)

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

        /// Adds a line if there is room, and returns whether there is.
        ///
        /// Once a line is dropped, all further lines are dropped until the others are written. The missing lines are
        /// then all in one place.
        mutating func append(_ line: [UInt8], limit: Int) -> Bool {
            guard dropped == 0, bytes.count + line.count <= limit || bytes.isEmpty else {
                dropped += 1
                return false
            }
            bytes += line
            return true
        }
    }

    /// The state that the thread retains.
    private final class Lines: Sendable {
        let descriptor: Int32
        let state = Mutex(State())

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }
    }

    /// How long the thread gathers lines before a write, in microseconds.
    ///
    /// Waking it for each line would cost more than writing the line.
    private static let gathering: useconds_t = 1_000

    /// The number of dropped lines.
    package let dropped = Counter()
    /// The maximum size of the waiting lines, in bytes.
    private let limit: Int
    private let lines: Lines
    private let worker = Worker()
    private let job: Worker.Job

    /// Creates a writer to a descriptor, which must stay open.
    init(descriptor: Int32, limit: Int = 1024 * 1024) {
        let lines = Lines(descriptor)
        self.limit = limit
        self.lines = lines
        job = { Self.drain(lines) }
    }

    /// Sets the function that formats the line about dropped lines.
    func reportDrops(_ notice: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        lines.state.withLock { $0.notice = notice }
    }

    /// Queues a line, which ends with a line feed, without blocking.
    ///
    /// A line that cannot be written is lost, because there is no better place to report it.
    package func writeLine(_ line: [UInt8]) {
        let isFirst = lines.state.withLock { state in
            state.hasWritten = true
            if !state.append(line, limit: limit) { dropped.increment() }
            return !exchange(&state.isWriting, with: true)
        }
        // Without a thread, the next line tries again.
        if isFirst, !worker.run(job) { lines.state.withLock { $0.isWriting = false } }
    }

    /// Waits until all lines of both standard streams are written, or a second per stream has passed.
    package static func flushAll() {
        standardError.flush(within: 1)
        standardOutput.flush(within: 1)
    }

    /// Waits until all queued lines are written, or the time is over.
    package func flush(within seconds: Double) {
        guard lines.state.withLock({ $0.hasWritten }) else { return }
        let done = DispatchSemaphore(value: 0)
        worker.run { done.signal() }
        _ = done.wait(timeout: .now() + seconds)
    }

    /// Writes until there are no lines.
    private static func drain(_ lines: Lines) {
        var bytes: [UInt8] = []
        while true {
            usleep(gathering)
            bytes.removeAll(keepingCapacity: true)
            let (dropped, notice) = lines.state.withLock { state in
                swap(&state.bytes, &bytes)
                state.isWriting = !bytes.isEmpty || state.dropped > 0
                return (exchange(&state.dropped, with: 0), state.notice)
            }
            _ = writeAll(bytes, to: lines.descriptor)
            if dropped > 0, let notice { _ = writeAll(notice(dropped), to: lines.descriptor) }
            if bytes.isEmpty, dropped == 0 { return }
        }
    }

    /// Writes all bytes, and blocks while the reader is stalled.
    ///
    /// - Returns: 0, or the error number. Some of the bytes may have been written in that case.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || !canRetry(descriptor) {
                    return count == 0 ? ENOSPC : errno
                }
            }
            return 0
        }
    }

    /// Returns whether the last error is temporary: a signal, or a descriptor that another process made nonblocking.
    private static func canRetry(_ descriptor: Int32) -> Bool {
        let error = errno
        switch error {
        case EINTR: return true
        case EAGAIN:
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&request, 1, -1) == 1 || errno == EINTR { return true }
            errno = error
            return false
        default: return false
        }
    }
}
