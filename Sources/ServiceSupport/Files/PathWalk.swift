import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Walks from the root of the file system to a file, as the system does when it opens one, and returns every place on
/// the path.
struct PathWalk: IteratorProtocol {
    /// The error that ended the walk before the file; nil if there was none.
    private(set) var obstacle: Errno?

    private static let maximumLinks = 40

    private var folder = FilePath("/")
    /// The remaining components, the next one last.
    private var rest: [FilePath.Component]
    private var links = 0
    private var hasBegun = false

    /// Creates a way to a file; it begins in the current folder where the path is relative.
    init(_ path: FilePath) {
        rest = path.components.reversed()
        guard path.isRelative else { return }
        guard let current = getcwd(nil, 0) else {
            obstacle = Errno(rawValue: errno)
            return
        }
        rest += FilePath(platformString: current).components.reversed()
        free(current)
    }

    /// Returns the next place; nil at the file, or if the walk ends before it.
    mutating func next() -> FilePlace? {
        do {
            guard obstacle == nil else { return nil }
            if !hasBegun {
                hasBegun = true
                let root = try Self.status(of: folder)
                return FilePlace(folder, root, in: root)
            }
            while let component = rest.popLast() {
                switch component.kind {
                case .currentDirectory: continue
                case .parentDirectory: folder.removeLastComponent()
                case .regular: return try enter(component)
                }
            }
        } catch {
            obstacle = error as? Errno ?? .ioError
        }
        return nil
    }

    private mutating func enter(_ component: FilePath.Component) throws -> FilePlace {
        let path = folder.appending(component)
        let place = FilePlace(path, try Self.status(of: path), in: try Self.status(of: folder))
        guard place.isLink else {
            folder = path
            return place
        }
        links += 1
        guard links <= Self.maximumLinks else { throw Errno.tooManySymbolicLinkLevels }
        let target = try Self.target(of: path)
        if target.isAbsolute { folder = FilePath("/") }
        rest += target.components.reversed()
        return place
    }

    private static func status(of path: FilePath) throws -> stat {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
        return status
    }

    private static func target(of link: FilePath) throws -> FilePath {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // The last byte stays zero.
        let count = link.withPlatformString { readlink($0, &bytes, bytes.count - 1) }
        guard count > 0 else { throw Errno(rawValue: errno) }
        return FilePath(platformString: bytes)
    }
}

extension FilePlace {
    fileprivate init(_ path: FilePath, _ status: stat, in folder: stat) {
        self.init(
            path: path.string,
            mode: status.st_mode,
            owner: status.st_uid,
            group: status.st_gid,
            isInRootsFolder: folder.st_uid == 0
        )
        // Kubernetes creates a volume's folder with mode 0777 and mounts it read-only. If systemd makes a whole disk
        // read-only for the service alone, other users can still write: that is not a separate file system.
        var volume = statvfs()
        guard status.st_dev != folder.st_dev, statvfs(self.path, &volume) == 0 else { return }
        isReadOnlyVolume = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
    }
}
