import ServiceSupport
import SystemPackage

extension AuditFile {
    /// Checks that a trail can be written to a file, without changing the file or leaving one behind.
    ///
    /// - Throws: ``OperatorError`` that names the fix.
    package static func inspect(path: String) throws {
        var status = stat()
        // A dangling link counts as existing.
        guard lstat(path, &status) == 0 || errno != ENOENT else {
            let folder = FilePath(path).removingLastComponent().string
            guard access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
                throw OperatorError.unwritable(path, Errno(rawValue: errno))
            }
            try probe(path)
            return
        }
        let trail = try TrailDescriptor(opening: path)
        defer { try? trail.descriptor.close() }
        try probe(path) { try trail.requireRoom() }
    }

    /// Writes to a file without a name on the disk of a trail, which vanishes when it is closed: quotas and a file system
    /// that became read-only show in a write only.
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
                // A few hundred lines.
                _ = try file?.writeAll([UInt8](repeating: 0, count: 64 * 1024))
                guard let file, fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            #endif
        } catch let error as Errno where error == .noSpace || error == .diskQuotaExceeded {
            throw OperatorError(
                "The disk of the audit file \(path) is full. Free space: no token is issued until then."
            )
        } catch {
            throw OperatorError.unwritable(path, error)
        }
    }
}
