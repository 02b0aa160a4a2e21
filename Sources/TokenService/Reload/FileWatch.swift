/// Tells from one look after the other when files have changed and are at rest.
///
/// A file that is being written looks different each time, and is not read until it stays as it is for two looks. One
/// that is never at rest must not keep the others from being read, so there is an end to the waiting.
struct FileWatch: Sendable {
    /// For how many looks files that are not at rest are waited for.
    static let patience = 5

    /// The files as they were when they were last read.
    private(set) var known: FileSnapshot
    private var last: FileSnapshot?
    private var looks = 0

    /// Watches files that were read after a look at them.
    init(_ known: FileSnapshot) {
        self.known = known
    }

    /// Takes a new look into account.
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

    /// Goes on from files that were read after a look at them.
    mutating func read(_ known: FileSnapshot) {
        self = FileWatch(known)
    }
}
