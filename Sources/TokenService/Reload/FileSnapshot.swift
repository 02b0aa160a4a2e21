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
