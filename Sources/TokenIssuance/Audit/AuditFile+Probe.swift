import Libc
import ServiceSupport
import Synchronization
import SystemPackage

/// Whether a trail can be written.
extension AuditFile {
    /// The bytes that the disk must have room for: those of a few hundred lines.
    private static let probeSize = 64 * 1024

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, bytes of the same size are written and cut off again: quotas, reserved blocks and a file system
    /// that became read-only show in a write only. The bytes end no line, so a crash in between leaves a partial line.
    package func check() throws {
        try file.withLock { file in
            _ = try reopenIfReplaced(&file)
            try file.trail.requireRoom()
            guard let probeSize = file.failedSize ?? (file.isUnsafe ? 1 : nil) else { return }
            let size = try prepare(&file)
            try append([UInt8](repeating: UInt8(ascii: " "), count: probeSize), to: &file, at: size)
            file.isTorn = true
            try file.trail.truncate(to: size)
            file.isTorn = false
            file.failedSize = nil
        }
    }

    /// Checks that a trail can be written to a file, without changing the file or leaving one behind.
    package static func inspect(path: String) throws {
        var status = stat()
        // A dangling link counts as existing.
        guard lstat(path, &status) == 0 || errno != ENOENT else {
            let folder = FilePath(path).removingLastComponent().string
            guard access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
                throw ConfigurationError.unwritable(path, Errno(rawValue: errno))
            }
            try probe(path)
            return
        }
        let trail = try TrailDescriptor(opening: path)
        defer { try? trail.close() }
        try probe(path) { try trail.requireRoom() }
    }

    /// Writes to a file without a name on the disk of a trail, which vanishes when it is closed.
    private static func probe(_ path: String, _ check: () throws -> Void = {}) throws {
        do {
            try check()
            #if !canImport(Darwin)
            let folder = FilePath(path).removingLastComponent()
            // O_TMPFILE, a macro that is not imported. Not every file system has such files, and the trail may be in a folder
            // that only root can write to.
            let file = try? FileDescriptor.open(
                folder.isEmpty ? "." : folder,
                .writeOnly,
                options: [.init(rawValue: 0o20_000_000 | O_DIRECTORY), .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file?.closeAfter {
                _ = try file?.writeAll([UInt8](repeating: 0, count: probeSize))
                guard let file, fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            #endif
        } catch let error as Errno where error == .noSpace || error == .diskQuotaExceeded {
            throw ConfigurationError(
                "The disk of the audit file \(path) is full. Free space: no token is issued until then."
            )
        } catch {
            throw ConfigurationError.unwritable(path, error)
        }
    }
}

extension TrailDescriptor {
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

extension ConfigurationError {
    static func unwritable(_ path: String, _ error: any Error) -> Self {
        Self("Cannot write the audit file \(path): \(error). Use a file in a folder that this user can write to.")
    }
}
