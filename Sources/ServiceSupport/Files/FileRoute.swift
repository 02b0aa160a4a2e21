import SystemPackage

/// The way to a file: every folder and symbolic link on its path, and the file, as the system finds them.
///
/// The file is opened by the path that the way ended with, which has no links. If nobody else can change a location on the
/// way, nobody else can change what that path leads to: for that, a location would have to be replaced.
struct FileRoute {
    /// The path led elsewhere when the file was opened.
    struct Changed: Error {}

    private static let maximumLinks = 40

    private(set) var locations: [FileLocation] = []
    /// The error that ended the way before the file; nil if there was none.
    private(set) var failure: Errno?
    /// The path without links.
    private var path = FilePath("/")
    /// The status of each component of the path.
    private var statuses: [stat] = []

    /// Creates the way to a file, which begins in the current folder if the path is relative.
    init(_ path: FilePath) {
        do {
            try follow(path)
        } catch {
            failure = error as? Errno ?? .ioError
        }
    }

    private mutating func follow(_ named: FilePath) throws {
        var rest = Array(named.components.reversed())
        if named.isRelative {
            guard let current = getcwd(nil, 0) else { throw Errno(rawValue: errno) }
            rest += FilePath(platformString: current).components.reversed()
            free(current)
        }
        try enter(path)
        var links = 0
        while let component = rest.popLast() {
            switch component.kind {
            case .currentDirectory: continue
            case .parentDirectory: leave()
            case .regular:
                let next = path.appending(component)
                guard try enter(next) else { continue }
                links += 1
                guard links <= Self.maximumLinks else { throw Errno.tooManySymbolicLinkLevels }
                let target = try Self.target(of: next)
                if target.isAbsolute { while statuses.count > 1 { leave() } }
                rest += target.components.reversed()
            }
        }
    }

    /// Adds a location.
    ///
    /// - Returns: Whether it is a link, which the path does not contain.
    @discardableResult
    private mutating func enter(_ next: FilePath) throws -> Bool {
        var status = stat()
        guard lstat(next.string, &status) == 0 else { throw Errno(rawValue: errno) }
        let location = FileLocation(next.string, status, in: statuses.last ?? status)
        locations.append(location)
        if !location.isLink {
            path = next
            statuses.append(status)
        }
        return location.isLink
    }

    private mutating func leave() {
        guard statuses.count > 1 else { return }
        statuses.removeLast()
        path.removeLastComponent()
    }

    private static func target(of link: FilePath) throws -> FilePath {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // The last byte stays zero.
        guard readlink(link.string, &bytes, bytes.count - 1) > 0 else { throw Errno(rawValue: errno) }
        return FilePath(platformString: bytes)
    }

    /// Opens the file at the end of the way for reading.
    ///
    /// - Returns: The file, which the caller closes, and its location.
    /// - Throws: `Errno`, or ``Changed`` if it is not the file that was found.
    func openFile() throws -> (FileDescriptor, FileLocation) {
        if let failure { throw failure }
        // A pipe would wait for a writer without `nonBlocking`; for a file it means nothing.
        let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, let found = statuses.last, status.st_dev == found.st_dev,
            status.st_ino == found.st_ino
        else {
            try? file.close()
            throw Changed()
        }
        return (file, FileLocation(path.string, status, in: statuses.dropLast().last ?? found))
    }
}

extension FileLocation {
    fileprivate init(_ path: String, _ status: stat, in folder: stat) {
        self.init(
            path: path,
            mode: status.st_mode,
            owner: status.st_uid,
            group: status.st_gid,
            isInRootsFolder: folder.st_uid == 0
        )
        // Kubernetes creates a volume's folder with mode 0777 and mounts it read-only. If systemd makes a whole disk
        // read-only for the service alone, other users can still write: that is not a separate file system.
        var volume = statvfs()
        guard status.st_dev != folder.st_dev, statvfs(path, &volume) == 0 else { return }
        isReadOnlyVolume = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
    }
}
