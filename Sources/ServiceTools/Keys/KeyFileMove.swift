import FleetToken
import ServiceConfiguration
import ServiceSupport
import SystemPackage
import TokenMinting

/// Moves a kind's key files one place on: the next to the current one's, and the current to the previous one's.
struct KeyFileMove: Sendable {
    let current: String
    let next: String
    let previous: String
    private let remedy: String
    /// The files as they were when they were checked.
    private let checked: [FileIdentity?]

    /// Creates the move after checking that the files can be moved.
    ///
    /// - Throws: ``ConfigurationError`` with the reason and an alternative.
    init(_ path: String, _ kind: KindConfiguration) throws(ConfigurationError) {
        guard let next = kind.next, let previous = kind.previous else {
            throw ConfigurationError(
                "\(path) requires next and previous, the files to move the next and the current key from and to. Add them to the configuration."
            )
        }
        // The key ID of a PEM file is in the configuration, and would have to change at the same moment.
        guard case .serviceAccount(let current) = kind.account, case .serviceAccount(let nextFile) = next.account,
            case .serviceAccount(let previousFile) = previous
        else {
            throw ConfigurationError(
                "\(path): only JSON files of service accounts can be moved, because they contain the key ID too. Set \(path).next.from in the configuration instead: the next key signs from that time."
            )
        }
        self.current = current
        self.next = nextFile
        self.previous = previousFile
        guard KeyFile.isPresent(nextFile) else {
            throw ConfigurationError(
                "There is no next key: \(nextFile) is missing. Create it, and promote it after the service has published it."
            )
        }
        checked = Self.identities(current, nextFile)
        remedy = "Change the mounted files, or set \(path).next.from in the configuration."
    }

    /// Checks that this user can move the files.
    ///
    /// - Throws: ``ConfigurationError`` that says why not, and what to do instead.
    func checkPlaces() throws(ConfigurationError) {
        var devices: Set<dev_t> = []
        for file in [current, next, previous] {
            var status = stat()
            if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
                throw ConfigurationError("\(file) is a symbolic link, as in a mounted Secret. \(remedy)")
            }
            let folder = Self.folder(of: file)
            guard stat(folder, &status) == 0, access(folder, W_OK | X_OK) == 0 else {
                throw ConfigurationError("\(folder) is not writable by this user. \(remedy)")
            }
            devices.insert(status.st_dev)
        }
        guard devices.count == 1 else {
            throw ConfigurationError(
                "\(current), \(next) and \(previous) are not on the same file system, so they cannot be moved atomically. \(remedy)"
            )
        }
    }

    /// When the previous key's file was put at its place; nil where there is none, or it is the current one under another
    /// name, as a promotion that was cut off leaves it.
    var previousSince: NumericDate? {
        var (old, new) = (stat(), stat())
        guard stat(previous, &old) == 0, stat(current, &new) == 0 else { return nil }
        guard old.st_ino != new.st_ino || old.st_dev != new.st_dev else { return nil }
        #if canImport(Darwin)
        return NumericDate(seconds: Int64(old.st_ctimespec.tv_sec))
        #else
        // Renaming a file sets this time; the content's stays.
        return NumericDate(seconds: Int64(old.st_ctim.tv_sec))
        #endif
    }

    private static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Moves the files.
    ///
    /// The current file exists at every moment, because a rename replaces it atomically. A lock on the current file's folder
    /// keeps other promotions out; one that waited for it finds other files than it has checked.
    func run() throws(ConfigurationError) {
        let folder = open(Self.folder(of: current), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Closing the folder releases the lock.
        defer { close(folder) }
        guard folder >= 0, flock(folder, LOCK_EX) == 0 else { throw Self.refusal(current, previous) }
        guard Self.identities(current, next) == checked else {
            throw ConfigurationError(
                "\(current) or \(next) changed while the promotion was checked; another promotion may have moved them. No file was moved. Check which key is the current one before you promote again."
            )
        }
        // A promotion that was killed may have left it. The lock keeps others from using it now.
        let temporary = "\(previous).tmp"
        unlink(temporary)
        guard link(current, temporary) == 0 else { throw Self.refusal(current, previous) }
        // Renaming one of a file's two names to the other leaves both.
        defer { unlink(temporary) }
        guard rename(temporary, previous) == 0 else { throw Self.refusal(current, previous) }
        guard rename(next, current) == 0 else { throw Self.refusal(next, current) }
    }

    private static func identities(_ files: String...) -> [FileIdentity?] { files.map(FileIdentity.init) }

    private static func refusal(_ file: String, _ destination: String) -> ConfigurationError {
        let reason = Errno(rawValue: errno)
        return ConfigurationError(
            "Moving \(file) to \(destination) failed: \(reason). Fix this and promote again."
        )
    }
}

/// What distinguishes a file from all others of the machine.
private struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Creates the identity of the file at a path; nil if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}
