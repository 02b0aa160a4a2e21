import SystemPackage

/// Reading and writing files that hold a key.
package enum KeyFile {
    /// No key file is near this size: 64 KiB.
    package static let maximumSize = 64 * 1024

    /// Reads a whole file.
    ///
    /// - Throws: ``FileError`` that names the file and the fix.
    package static func read(_ path: String) throws(FileError) -> [UInt8] {
        let bytes = try FileContent.read(path, atMost: maximumSize + 1, isRegular: true)
        guard bytes.count <= maximumSize else { throw .file(action: "read", path, tooLarge) }
        return bytes
    }

    /// Reads an open file whole.
    static func read(_ file: FileDescriptor) throws -> [UInt8] {
        // One byte more than allowed distinguishes an oversized file from one that just fits.
        let bytes = try FileContent.read(file, atMost: maximumSize + 1)
        guard bytes.count <= maximumSize else { throw tooLarge }
        return bytes
    }

    private static let tooLarge = UnsuitableFile(hint: "it is larger than 64 KiB, so it is not a key")

    /// Writes a new file that only its owner can read, whole or not at all; a file that is there already stays.
    ///
    /// - Returns: Whether it was written.
    /// - Throws: ``FileError`` that names the file and the fix.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) -> Bool {
        removeLeftovers(of: path)
        do {
            // Others that begin at this moment may take the temporary file, each once.
            for _ in 0..<100 {
                if let isWritten = try write(bytes, to: path) { return isWritten }
            }
            throw Errno.noSuchFileOrDirectory
        } catch {
            throw .file(action: "write", path, error)
        }
    }

    /// Writes a temporary file and gives it the name of the key; nil if another process took it for a leftover.
    private static func write(_ bytes: [UInt8], to path: String) throws -> Bool? {
        let temporary = temporaryName(of: path)
        let file = try FileDescriptor.open(
            FilePath(temporary),
            .writeOnly,
            options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite
        )
        defer { unlink(temporary) }
        return try file.closeAfter {
            // For removeLeftovers(of:) of other processes. Until it is locked, they may remove the file.
            var status = stat()
            guard flock(file.rawValue, LOCK_EX) == 0, fstat(file.rawValue, &status) == 0 else {
                throw Errno(rawValue: errno)
            }
            guard status.st_nlink > 0 else { return nil }
            _ = try file.writeAll(bytes)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            // A link, unlike a rename, never replaces a file that another process wrote in the meantime.
            guard link(temporary, path) == 0 else {
                guard errno == EEXIST else { throw Errno(rawValue: errno) }
                return false
            }
            return true
        }
    }

    /// Returns whether a file exists at a path, valid or not; true if that is unknown.
    package static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || errno != ENOENT
    }

    /// Returns who else can read or change a file, and the command that takes it away; nil if no other user can.
    ///
    /// - Throws: ``FileError`` if the file cannot be examined.
    package static func exposure(_ path: String) throws(FileError) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .file(action: "read", path, Errno(rawValue: errno)) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .file(action: "read", path, Errno.isDirectory) }
        return exposure(path, mode: status.st_mode, owner: status.st_uid)
    }

    /// The same for an open file.
    static func exposure(_ path: String, mode: mode_t, owner: uid_t) -> String? {
        guard let fix = fix(mode: mode, owner: owner, user: geteuid()) else { return nil }
        let verbs = [(S_IRGRP | S_IROTH, "read"), (S_IWGRP | S_IWOTH, "changed")].filter { mode & $0.0 != 0 }.map(\.1)
        let who = mode & (S_IROTH | S_IWOTH) != 0 ? "others" : "its group"
        let octal = String(mode & 0o777, radix: 8)
        return "\(path) can be \(verbs.joined(separator: " and ")) by \(who) (mode \(octal)). Run: \(fix) \(path)"
    }

    /// Who owns a file and what its mode is: `mode 640, owner root, group tokend`.
    package static func permissions(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        return "mode \(String(status.st_mode & 0o777, radix: 8)), owner \(owner), group \(group)"
    }

    /// Returns the command that makes a file private; nil if it is.
    static func fix(mode: mode_t, owner: uid_t, user: uid_t) -> String? {
        guard isReadableByOthers(mode: mode, owner: owner, user: user) else { return nil }
        // Without its group's right, the user could not read a file of root's at all.
        return owner == 0 && user != 0 ? "chmod 640" : "chmod 600"
    }

    /// Returns whether others can read a file, with one exception for root's files when another user runs the service.
    ///
    /// Root can give that user the file in no other way than by its group. So do Kubernetes, whose secrets belong to
    /// root and to the pod's `fsGroup`, and systemd, whose credentials have an access list, which shows as the group's.
    static func isReadableByOthers(mode: mode_t, owner: uid_t, user: uid_t) -> Bool {
        let isHandedOver = owner == 0 && user != 0
        let others = S_IWGRP | S_IROTH | S_IWOTH | (isHandedOver ? 0 : S_IRGRP)
        return mode & others != 0
    }
}
