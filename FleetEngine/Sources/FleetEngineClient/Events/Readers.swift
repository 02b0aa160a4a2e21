import Dispatch

/// The readers of one source of events: each event reaches all of them, in order.
///
/// The source keeps this behind its lock, and may report an event there, because a queue yields it later. A yield resumes a
/// reader, and for that takes the lock of the reader's task. A cancellation of the reader holds that lock while it calls
/// the stream's `onTermination`, which takes the source's lock (swiftlang/swift#67110).
struct Readers<Event: Sendable>: Sendable {
    private var streams: [Int: AsyncStream<Event>.Continuation] = [:]
    private var lastID = 0
    private let queue = DispatchQueue(label: "FleetEngineClient.Readers")

    var isEmpty: Bool { streams.isEmpty }

    /// Adds a reader, and reports events to it alone.
    ///
    /// - Parameters:
    ///   - stream: The reader's stream.
    ///   - events: What it gets first.
    ///   - onEnd: Called with the reader's ID when it stops or its stream has ended.
    mutating func add(
        _ stream: AsyncStream<Event>.Continuation,
        events: [Event] = [],
        onEnd: @escaping @Sendable (Int) -> Void
    ) {
        lastID += 1
        streams[lastID] = stream
        stream.onTermination = { [lastID] _ in onEnd(lastID) }
        queue.async {
            for event in events { stream.yield(event) }
        }
    }

    mutating func remove(_ id: Int) { streams[id] = nil }

    /// Reports an event to all readers.
    func report(_ event: Event) {
        queue.async { [streams] in
            for stream in streams.values { stream.yield(event) }
        }
    }

    /// Ends the streams of all readers, after what was reported.
    mutating func finish() {
        queue.async { [streams] in
            for stream in streams.values { stream.finish() }
        }
        streams = [:]
    }
}
