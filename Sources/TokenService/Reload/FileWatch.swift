import ServiceSupport

/// Tells from one look after the other when files have changed and are at rest.
///
/// A file that is being written looks different each time, and is read only after two equal looks. A file that never
/// stops changing must not block the others, so waiting is limited.
struct FileWatch: Sendable {
    /// For how many looks files that are not at rest are waited for.
    static let patience = 5

    /// The files as they were when they were last read.
    let known: FileSnapshot
    private var last: FileSnapshot?
    private var looks = 0

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
            looks = 0
            return false
        }
        looks += 1
        defer { last = seen }
        return seen == last || looks >= Self.patience
    }
}
