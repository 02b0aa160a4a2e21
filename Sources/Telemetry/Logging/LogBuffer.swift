/// Lines that wait to be written, up to a limit.
///
/// Lines beyond it are dropped and counted.
struct LogBuffer {
    /// The maximum size of the waiting lines, in bytes.
    let limit: Int
    /// The lines, each with its line feed.
    private(set) var bytes: [UInt8] = []
    /// The number of lines dropped after these.
    private(set) var dropped = 0

    /// Creates an empty buffer.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether there are no lines, and none was dropped.
    var isEmpty: Bool { bytes.isEmpty && dropped == 0 }

    /// Adds a line if there is room.
    ///
    /// Once a line is dropped, all further lines are dropped until the buffer is taken. The missing lines are then all in
    /// one place.
    ///
    /// - Returns: Whether it was added.
    mutating func append(_ line: [UInt8]) -> Bool {
        guard dropped == 0, bytes.count + line.count <= limit || bytes.isEmpty else {
            dropped += 1
            return false
        }
        bytes += line
        return true
    }

    /// Takes all lines.
    ///
    /// - Parameter lines: An empty array, which receives the lines. The buffer reuses its memory.
    /// - Returns: The number of lines dropped after them.
    mutating func take(_ lines: inout [UInt8]) -> Int {
        swap(&bytes, &lines)
        return exchange(&dropped, with: 0)
    }
}
