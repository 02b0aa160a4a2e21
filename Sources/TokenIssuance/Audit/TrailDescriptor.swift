import ServiceSupport
import SystemPackage

/// An open file of an audit trail.
struct TrailDescriptor {
    let descriptor: FileDescriptor
    let inode: ino_t
    let device: dev_t

    private static let newline = UInt8(ascii: "\n")
    /// More than the size of a line, which has a few hundred bytes.
    private static let lineSize = 64 * 1024

    /// Creates a descriptor by opening a file that is a trail or empty, and that no other user can change or has created.
    ///
    /// - Throws: ``OperatorError`` that names the fix.
    init(opening path: String, _ options: FileDescriptor.OpenOptions = []) throws {
        let problems = TrustedFile(path, isWritten: true).problems
        guard problems.isEmpty else { throw OperatorError(problems: problems.map { Problem($0) }) }
        do {
            descriptor = try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                // A pipe would wait for a reader without `nonBlocking`.
                options: options.union([.append, .closeOnExec, .nonBlocking, .noFollow]),
                permissions: .ownerReadWrite
            )
        } catch Errno.tooManySymbolicLinkLevels {
            throw OperatorError("The audit file \(path) is a symbolic link. Use the file itself.")
        } catch {
            throw OperatorError.unwritable(path, error)
        }
        do {
            let status = try Self.status(of: descriptor, path)
            (inode, device) = (status.st_ino, status.st_dev)
            _ = try endOfLines(in: Int64(status.st_size))
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Returns the status of a regular file that belongs to root or this user.
    private static func status(of file: FileDescriptor, _ path: String) throws -> stat {
        var status = stat()
        // A device such as /dev/null discards every line.
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw OperatorError(
                "The audit file \(path) is not a regular file. Use a regular file, or remove audit.file to write to standard output."
            )
        }
        // In a folder such as /tmp, another user can create the file first.
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw OperatorError(
                "The audit file \(path) belongs to another user. Use a file in a folder of the service's user."
            )
        }
        return status
    }

    /// Returns where the last complete line of a file of this size ends.
    ///
    /// - Throws: ``OperatorError`` if it is not an audit line.
    func endOfLines(in size: Int64) throws -> Int64 {
        guard size > 0 else { return 0 }
        // After a crash, as much as the largest write can follow it: a write that began, or what tested the disk.
        for tail in [Self.lineSize, AuditTrail.limit + Self.lineSize] {
            if let end = try endOfLines(from: max(0, size - Int64(tail)), to: size) { return end }
        }
        throw OperatorError(
            "The last line of the audit file is not an audit line. Use a new file, or move this one away."
        )
    }

    /// Returns where the last complete line in a part of the file ends; nil if it is not an audit line.
    private func endOfLines(from start: Int64, to size: Int64) throws -> Int64? {
        var bytes = [UInt8](repeating: 0, count: Int(size - start))
        let count = try bytes.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: start, into: $0) }
        guard let end = bytes[..<count].lastIndex(of: Self.newline) else { return nil }
        let line = bytes[..<end].suffix(Self.lineSize).split(separator: Self.newline).last
        return line?.starts(with: AuditTrail.opening) == true ? start + Int64(end) + 1 : nil
    }

    /// Throws an error if the disk has no free block.
    func requireRoom() throws {
        var disk = statvfs()
        guard fstatvfs(descriptor.rawValue, &disk) == 0 else { throw Errno(rawValue: errno) }
        // Blocks reserved for the superuser are not available to other users.
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        // A disk without a size, such as some in memory, reports no free blocks either.
        guard blocks > 0 || disk.f_blocks == 0 else { throw Errno.noSpace }
    }
}

extension OperatorError {
    static func unwritable(_ path: String, _ error: any Error) -> Self {
        Self("Cannot write the audit file \(path): \(error). Use a file in a folder that this user can write to.")
    }
}
