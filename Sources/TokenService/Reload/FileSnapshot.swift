/// Files as they were at one time, by path.
typealias FileSnapshot = [String: FileFingerprint]

extension FileSnapshot {
    /// Creates a snapshot of files.
    init(of paths: some Sequence<String>, _ look: (_ path: String) -> FileFingerprint = { FileFingerprint(of: $0) }) {
        self.init()
        for path in paths where self[path] == nil { self[path] = look(path) }
    }
}
