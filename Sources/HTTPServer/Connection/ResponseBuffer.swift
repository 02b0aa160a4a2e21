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

    private struct State {
        /// Where a response is put together: appending to an array is cheaper than writing to a buffer.
        var bytes: [UInt8] = []
        var buffer = ByteBuffer()
    }

    // Only its thread uses it, so the lock is always free.
    private let state = Mutex(State())

    static var current: ResponseBuffer { perThread.value(orNew: ResponseBuffer()) }

    /// Returns the bytes that `write` appends.
    func bytes(_ write: (inout [UInt8]) -> Void) -> ByteBuffer {
        state.withLock { state in
            write(&state.bytes)
            state.buffer.clear(minimumCapacity: state.bytes.count)
            state.buffer.writeBytes(state.bytes)
            state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCapacity)
            defer { if state.buffer.capacity > Self.keptCapacity { state.buffer = ByteBuffer() } }
            return state.buffer
        }
    }
}

extension ThreadSpecificVariable {
    /// Returns the current thread's value, which is made when it is first needed.
    func value(orNew makeValue: @autoclosure () -> Value) -> Value {
        if let currentValue { return currentValue }
        let new = makeValue()
        currentValue = new
        return new
    }
}
