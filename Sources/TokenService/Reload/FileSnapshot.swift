/// Files as they were at one time, by path.
struct FileSnapshot: Hashable, Sendable {
    /// Looks at a file.
    typealias Look = @Sendable (_ path: String) -> FileFingerprint

    private(set) var files: [String: FileFingerprint] = [:]

    /// Their paths.
    var paths: Set<String> { Set(files.keys) }

    /// Looks at files.
    init(of paths: some Sequence<String>, _ look: Look) {
        add(paths, look)
    }

    /// Looks at those that are not in it yet.
    mutating func add(_ paths: some Sequence<String>, _ look: Look) {
        for path in paths where files[path] == nil { files[path] = look(path) }
    }

    /// The same without all others.
    func keeping(_ paths: Set<String>) -> FileSnapshot {
        var snapshot = self
        snapshot.files = files.filter { paths.contains($0.key) }
        return snapshot
    }
}
