import NIOCore
import NIOPosix
import Synchronization

/// The memory in which a thread's connections write their responses.
///
/// Usually the system has taken a response before the next one is written, which then uses the same memory. As long as
/// a client does not read, its response keeps the memory, and the next one gets its own.
final class ResponseBuffer: Sendable {
    private static let perThread = ThreadSpecificVariable<ResponseBuffer>()

    /// The maximum capacity that is kept, in bytes: more than a response with a token takes.
    private static let keptCapacity = 16 * 1024

    // Only its thread uses it, so the lock is always free.
    private let buffer = Mutex(ByteBuffer())

    /// The current thread's.
    static var current: ResponseBuffer {
        if let current = perThread.currentValue { return current }
        let new = ResponseBuffer()
        perThread.currentValue = new
        return new
    }

    /// Returns what `write` writes into an empty buffer.
    func bytes(capacity: Int, _ write: (inout ByteBuffer) -> Void) -> ByteBuffer {
        buffer.withLock { buffer in
            buffer.clear(minimumCapacity: capacity)
            write(&buffer)
            defer { if buffer.capacity > Self.keptCapacity { buffer = ByteBuffer() } }
            return buffer
        }
    }
}
