import Libc
import SystemPackage

/// Walks from the root of the file system to a file, as the system does when it opens one, and returns every location on
/// the path.
///
/// Each step is opened in the folder that was opened before it, so that what is checked is what is walked through, even
/// if the path changes in the meantime.
///
/// A class, because it owns the open folders.
final class PathWalk: IteratorProtocol {
    /// The path led elsewhere while it was walked.
    struct Changed: Error {}

    private struct Step {
        let descriptor: FileDescriptor
        let path: FilePath
        let status: stat
    }

    /// The error that ended the walk before the file; nil if there was none.
    private(set) var failure: Errno?

    private static let maximumLinks = 40
    #if canImport(Darwin)
    private static let flags = O_SYMLINK | O_NONBLOCK | O_CLOEXEC
    #else
    // O_PATH, which needs no permission to read; Swift does not import it.
    private static let flags = 0o10000000 | O_NOFOLLOW | O_CLOEXEC
    #endif

    /// The root, the folders below it, and at the end the file.
    private var steps: [Step] = []
    /// The remaining components, the next one last.
    private var rest: [FilePath.Component]
    private var links = 0

    /// Creates a walk to a file; it begins in the current folder where the path is relative.
    init(_ path: FilePath) {
        rest = path.components.reversed()
        guard path.isRelative else { return }
        guard let current = getcwd(nil, 0) else {
            failure = Errno(rawValue: errno)
            return
        }
        rest += FilePath(platformString: current).components.reversed()
        free(current)
    }

    deinit {
        for step in steps { try? step.descriptor.close() }
    }

    /// Returns the next location; nil at the file, or if the walk ends before it.
    func next() -> FileLocation? {
        do {
            guard failure == nil else { return nil }
            guard !steps.isEmpty else {
                let step = try Self.step(FilePath("/"), FileDescriptor(rawValue: try Self.check(open("/", Self.flags))))
                steps.append(step)
                return Self.location(of: step, in: step)
            }
            while let component = rest.popLast() {
                switch component.kind {
                case .currentDirectory: continue
                case .parentDirectory: leave()
                case .regular: return try enter(component, in: steps[steps.count - 1])
                }
            }
        } catch {
            failure = error as? Errno ?? .ioError
        }
        return nil
    }

    /// Opens the file at the end of the walk for reading.
    ///
    /// - Returns: The file, which the caller closes, and its location.
    /// - Throws: `Errno`, or ``Changed`` if it is not the file that the walk found.
    func openFile() throws -> (FileDescriptor, FileLocation) {
        guard steps.count > 1, let found = steps.last, let name = found.path.lastComponent else {
            throw Errno.isDirectory
        }
        let folder = steps[steps.count - 2]
        // Opening a pipe would wait for a writer without `O_NONBLOCK`; for a file it means nothing.
        let file = FileDescriptor(
            rawValue: try name.withPlatformString {
                try Self.check(openat(folder.descriptor.rawValue, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
            }
        )
        let step = try Self.step(found.path, file)
        guard step.status.st_dev == found.status.st_dev, step.status.st_ino == found.status.st_ino else {
            try? file.close()
            throw Changed()
        }
        return (file, Self.location(of: step, in: folder))
    }

    private func enter(_ component: FilePath.Component, in folder: Step) throws -> FileLocation {
        let descriptor = try component.withPlatformString {
            FileDescriptor(rawValue: try Self.check(openat(folder.descriptor.rawValue, $0, Self.flags)))
        }
        let step = try Self.step(folder.path.appending(component), descriptor)
        let place = Self.location(of: step, in: folder)
        guard place.isLink else {
            steps.append(step)
            return place
        }
        defer { try? descriptor.close() }
        links += 1
        guard links <= Self.maximumLinks else { throw Errno.tooManySymbolicLinkLevels }
        let target = try Self.target(of: step, in: folder)
        if target.isAbsolute { while steps.count > 1 { leave() } }
        rest += target.components.reversed()
        return place
    }

    private func leave() {
        guard steps.count > 1 else { return }
        try? steps.removeLast().descriptor.close()
    }

    private static func step(_ path: FilePath, _ descriptor: FileDescriptor) throws -> Step {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else {
            let error = Errno(rawValue: errno)
            try? descriptor.close()
            throw error
        }
        return Step(descriptor: descriptor, path: path, status: status)
    }

    private static func target(of link: Step, in folder: Step) throws -> FilePath {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // The last byte stays zero.
        let size = bytes.count - 1
        #if canImport(Darwin)
        let name = link.path.lastComponent?.string ?? ""
        let count = readlinkat(folder.descriptor.rawValue, name, &bytes, size)
        #else
        let count = readlinkat(link.descriptor.rawValue, "", &bytes, size)
        #endif
        guard count > 0 else { throw Errno(rawValue: errno) }
        return FilePath(platformString: bytes)
    }

    private static func check(_ descriptor: Int32) throws -> Int32 {
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        return descriptor
    }

    private static func location(of step: Step, in folder: Step) -> FileLocation {
        var place = FileLocation(
            path: step.path.string,
            mode: step.status.st_mode,
            owner: step.status.st_uid,
            group: step.status.st_gid,
            isInRootsFolder: folder.status.st_uid == 0
        )
        // Kubernetes creates a volume's folder with mode 0777 and mounts it read-only. If systemd makes a whole disk
        // read-only for the service alone, other users can still write: that is not a separate file system.
        var volume = statvfs()
        guard step.status.st_dev != folder.status.st_dev, fstatvfs(step.descriptor.rawValue, &volume) == 0 else {
            return place
        }
        place.isReadOnlyVolume = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
        return place
    }
}
