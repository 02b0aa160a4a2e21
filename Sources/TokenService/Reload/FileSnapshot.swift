/// Files as they were at one time, by path.
struct FileSnapshot: Hashable, Sendable {
    typealias Look = @Sendable (_ path: String) -> FileFingerprint

    private(set) var files: [String: FileFingerprint] = [:]

    /// Their paths.
    var paths: Set<String> { Set(files.keys) }

    /// Creates a snapshot of files.
    init(of paths: some Sequence<String>, _ look: Look) {
        add(paths, look)
    }

    /// Adds files that are not in the snapshot yet.
    mutating func add(_ paths: some Sequence<String>, _ look: Look) {
        for path in paths where files[path] == nil { files[path] = look(path) }
    }

    /// Returns the snapshot with only these files.
    func keeping(_ paths: Set<String>) -> FileSnapshot {
        var snapshot = self
        snapshot.files = files.filter { paths.contains($0.key) }
        return snapshot
    }
}
