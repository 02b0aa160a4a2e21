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

/// Files as they were at one time, by path.
typealias FileSnapshot = [String: FileFingerprint]

extension FileSnapshot {
    typealias Look = @Sendable (_ path: String) -> FileFingerprint

    /// Creates a snapshot of files.
    init(of paths: some Sequence<String>, _ look: Look = { FileFingerprint(of: $0) }) {
        self.init()
        add(paths, look)
    }

    /// Adds files that are not in the snapshot yet.
    mutating func add(_ paths: some Sequence<String>, _ look: Look = { FileFingerprint(of: $0) }) {
        for path in paths where self[path] == nil { self[path] = look(path) }
    }
}

/// Detects whether a file was replaced or changed, without reading it.
///
/// Links are followed, so that a swap of the folder behind them is seen, as Kubernetes does it; a write in place
/// changes the times.
package enum FileFingerprint: Hashable, Sendable {
    /// There is something.
    case present(Status)
    /// The file cannot be examined, for this reason.
    case absent(CInt)

    package struct Status: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var mode: UInt32
        /// In nanoseconds since 1970, as is ``changed``.
        package var modified: Int64
        package var changed: Int64
    }

    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .absent(errno)
            return
        }
        self = .present(
            Status(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                inode: UInt64(truncatingIfNeeded: status.st_ino),
                size: Int64(status.st_size),
                mode: UInt32(truncatingIfNeeded: status.st_mode),
                modified: status.modificationTime,
                changed: status.changeTime
            )
        )
    }
}

extension stat {
    #if canImport(Darwin)
    fileprivate var modificationTime: Int64 { st_mtimespec.nanoseconds }
    fileprivate var changeTime: Int64 { st_ctimespec.nanoseconds }
    #else
    fileprivate var modificationTime: Int64 { st_mtim.nanoseconds }
    fileprivate var changeTime: Int64 { st_ctim.nanoseconds }
    #endif
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
