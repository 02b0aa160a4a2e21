import ServiceSupport

/// Reports changed files once two consecutive snapshots agree.
///
/// A file that is being written is another one in each snapshot. A file that never stops changing must not block the
/// others, so waiting is limited.
struct FileWatch: Sendable {
    /// The number of snapshots after which files are reported even if they still change.
    static let maximumSnapshots = 5

    /// The files as they were when they were last read.
    let known: FileSnapshot
    private var last: FileSnapshot?
    private var count = 0

    /// Creates a watch for files that were read after this snapshot.
    init(_ known: FileSnapshot) {
        self.known = known
    }

    /// Processes a new snapshot.
    ///
    /// - Returns: Whether it is time to read the files.
    mutating func isDue(_ seen: FileSnapshot) -> Bool {
        guard seen != known else {
            last = nil
            count = 0
            return false
        }
        count += 1
        defer { last = seen }
        return seen == last || count >= Self.maximumSnapshots
    }
}
