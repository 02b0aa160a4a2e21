import ServiceSupport
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An open file of an audit trail, and what its last line is.
struct TrailDescriptor {
    let descriptor: FileDescriptor
    let inode: ino_t
    let device: dev_t

    private static let newline = UInt8(ascii: "\n")

    /// Creates a descriptor by opening a file that is a trail or empty, and that no other user can change or has created.
    ///
    /// - Throws: ``ConfigurationError`` that names the fix.
    init(opening path: String, _ options: FileDescriptor.OpenOptions = []) throws {
        let problems = TrustedFile(path, isWritten: true).problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems.map { Problem($0) }) }
        do {
            descriptor = try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                // A pipe would wait for a reader without `nonBlocking`.
                options: options.union([.append, .closeOnExec, .nonBlocking, .noFollow]),
                permissions: .ownerReadWrite
            )
        } catch Errno.tooManySymbolicLinkLevels {
            throw ConfigurationError("The audit file \(path) is a symbolic link. Use the file itself.")
        } catch {
            throw ConfigurationError.unwritable(path, error)
        }
        do {
            let status = try Self.status(of: descriptor, path)
            (inode, device) = (status.st_ino, status.st_dev)
            _ = try lastLine()
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
            throw ConfigurationError(
                "The audit file \(path) is not a regular file. Use a regular file, or remove audit.file to write to standard output."
            )
        }
        // In a folder such as /tmp, another user can create the file first.
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw ConfigurationError(
                "The audit file \(path) belongs to another user. Use a file in a folder of the service's user."
            )
        }
        return status
    }

    /// Cuts off what follows a size.
    func truncate(to size: Int64) throws {
        guard ftruncate(descriptor.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Returns the size of the complete lines, after truncating a partial last line.
    func wholeSize(_ size: Int64) throws -> Int64 {
        guard size > 0, try read(from: size - 1, to: size) != [Self.newline] else { return size }
        let end = try wholeLines(size).end
        try truncate(to: end)
        return end
    }

    /// Returns the last complete lines of a file and their end.
    private func wholeLines(_ size: Int64) throws -> (bytes: [UInt8], end: Int64) {
        // A line is a few hundred bytes, a batch's less than 16 KiB.
        let start = max(0, size - 64 * 1024)
        let tail = try read(from: start, to: size)
        guard let end = tail.lastIndex(of: Self.newline) else { throw ConfigurationError(AuditTrail.notATrail) }
        return (Array(tail[...end]), start + Int64(end) + 1)
    }

    /// Returns the last complete line, or nil for an empty file.
    ///
    /// - Throws: ``ConfigurationError`` if it is not an audit line.
    func lastLine() throws -> [UInt8]? {
        let size = try descriptor.seek(offset: 0, from: .end)
        guard size > 0 else { return nil }
        guard let last = try wholeLines(size).bytes.split(separator: Self.newline).last, AuditLine(last) != nil
        else {
            throw ConfigurationError(AuditTrail.notATrail)
        }
        return Array(last)
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

    private func read(from start: Int64, to end: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        let count = try bytes.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: start, into: $0) }
        return Array(bytes[..<count])
    }

    /// Returns the last line of the newest trail whose file name begins with the path's, such as `audit.jsonl.1`.
    static func lastLine(beside path: String) -> [UInt8]? {
        let path = FilePath(path)
        let folder = path.removingLastComponent()
        guard let name = path.lastComponent?.string,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
        else { return nil }
        let lines = names.filter { $0 != name && $0.utf8.starts(with: name.utf8) }.compactMap { name -> [UInt8]? in
            guard let trail = try? TrailDescriptor(opening: folder.appending(name).string) else { return nil }
            defer { try? trail.descriptor.close() }
            return try? trail.lastLine()
        }
        return lines.max { AuditLine($0)?.sequence ?? 0 < AuditLine($1)?.sequence ?? 0 }
    }
}
