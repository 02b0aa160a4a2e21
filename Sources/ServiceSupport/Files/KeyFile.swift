import SystemPackage

/// Reading and writing files that hold a key.
package enum KeyFile {
    /// No key file is near this size: 64 KiB.
    package static let maximumSize = 64 * 1024

    /// Reads a whole file.
    ///
    /// - Throws: ``OperatorError`` that names the file and the fix.
    package static func read(_ path: String) throws(OperatorError) -> [UInt8] {
        // One byte more than allowed distinguishes an oversized file from one that just fits.
        let bytes = try FileContent.read(path, atMost: maximumSize + 1, isRegular: true)
        do { return try checked(bytes) } catch { throw .file(action: "read", path, error) }
    }

    /// Refuses content that is too large to be a key.
    static func checked(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.count <= maximumSize else {
            throw UnsuitableFile(hint: "it is larger than 64 KiB, so it is not a key")
        }
        return bytes
    }

    /// Writes a new file that only its owner can read, whole or not at all; a file that is there already stays.
    ///
    /// - Returns: Whether it was written.
    /// - Throws: ``OperatorError`` that names the file and the fix.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(OperatorError) -> Bool {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).tmp"
        do {
            let file = try FileDescriptor.open(
                FilePath(temporary),
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            defer { unlink(temporary) }
            return try file.closeAfter {
                _ = try file.writeAll(bytes)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
                // A link, unlike a rename, never replaces a file that another process wrote in the meantime.
                guard link(temporary, path) != 0 else { return true }
                guard errno == EEXIST else { throw Errno(rawValue: errno) }
                return false
            }
        } catch {
            throw .file(action: "write", path, error)
        }
    }

    /// Returns whether a file exists at a path, valid or not; true if that is unknown.
    package static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || errno != ENOENT
    }

    /// Who owns a file and what its mode is: `mode 640, owner root, group tokend`.
    package static func permissions(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        return "mode \(String(status.st_mode & 0o777, radix: 8)), owner \(owner), group \(group)"
    }
}
