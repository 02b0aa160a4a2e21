import ServiceSupport
import Synchronization
import SystemPackage

/// The append-only file of an audit trail; a new one is readable only by its owner.
///
/// A machine crash during a write can leave a partial line; its token was never released, and the next write removes
/// the line. Lines are passed to the operating system before their tokens are released, so they survive a crash of the
/// service; whether they survive a crash of the machine depends on ``AuditConfiguration/Sync``. If the file at the path
/// was renamed or removed, a new file is created and the chain continues in it, also after a restart if the renamed file
/// is still beside it. On each opening the file must be one
/// that no other user can change or has created. A lock on the file prevents a second service from writing to it.
package final class AuditFile: AuditSink {
    private struct OpenFile {
        let trail: TrailDescriptor
        /// The size after the last complete line written here; nil before the first.
        var size: Int64?
        /// Whether lines of a failed write could not be cut off.
        var isTorn = false
        /// The size of the lines that could not be written last, in bytes; nil after a write that succeeded.
        var failedSize: Int?
    }

    private let path: String
    private let mode: AuditConfiguration.Sync
    /// Makes a descriptor's lines durable, as `fdatasync(2)` does; returns -1 if that fails.
    private let flush: @Sendable (_ descriptor: CInt) -> CInt
    private let file: Mutex<OpenFile>

    /// Creates an audit file by opening or creating the file at a path.
    ///
    /// - Throws: ``ConfigurationError`` if it is not a trail, or could be changed or written by others.
    package init(
        path: String,
        sync: AuditConfiguration.Sync = .never,
        flush: @escaping @Sendable (_ descriptor: CInt) -> CInt = AuditFile.systemFlush
    ) throws {
        self.path = path
        mode = sync
        self.flush = flush
        file = Mutex(try Self.open(path, sync))
    }

    deinit {
        file.withLock { try? $0.trail.descriptor.close() }
    }

    /// Returns the last line; if the file is empty, that of the file from which it was renamed before the start.
    package func lastLine() throws -> [UInt8]? {
        try file.withLock { try $0.trail.lastLine() } ?? TrailDescriptor.lastLine(beside: path)
    }

    package func write(_ bytes: [UInt8]) throws {
        try file.withLock { file in
            do {
                let size = try prepare(&file)
                try append(bytes, to: &file, at: size)
                file.size = size + Int64(bytes.count)
                file.failedSize = nil
            } catch {
                file.failedSize = bytes.count
                throw error
            }
        }
    }

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, bytes of the same size are written and cut off again: quotas, reserved blocks and a file system
    /// that became read-only show in a write only. The bytes end no line, so a crash in between leaves a partial line.
    package func check() throws {
        try file.withLock { file in
            _ = try reopenIfReplaced(&file)
            try file.trail.requireRoom()
            guard let failedSize = file.failedSize else { return }
            let size = try prepare(&file)
            try append([UInt8](repeating: UInt8(ascii: " "), count: failedSize), to: &file, at: size)
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
            throw ConfigurationError(
                "The disk of the audit file \(path) is full. Free space: no token is issued until then."
            )
        } catch {
            throw ConfigurationError.unwritable(path, error)
        }
    }

    /// Opens the file at the path if it is another one, and cuts off a partial line.
    ///
    /// - Returns: The file's size.
    private func prepare(_ file: inout OpenFile) throws -> Int64 {
        var size = try reopenIfReplaced(&file)
        if file.isTorn, let whole = file.size, size > whole {
            try file.trail.truncate(to: whole)
            size = whole
        }
        // Any other size results from a crash or from another process.
        if size != file.size { size = try file.trail.wholeSize(size) }
        file.size = size
        file.isTorn = false
        return size
    }

    /// Writes bytes behind the last line, all of them or none.
    private func append(_ bytes: [UInt8], to file: inout OpenFile, at size: Int64) throws {
        do {
            let written = try bytes.withUnsafeBytes { try file.trail.descriptor.write($0) }
            guard written == bytes.count else { throw Errno.noSpace }
            guard mode == .never || flush(file.trail.descriptor.rawValue) != -1 else { throw Errno(rawValue: errno) }
        } catch {
            // A partial line would break the chain, and so would lines of a failed write.
            file.isTorn = (try? file.trail.truncate(to: size)) == nil
            throw error
        }
    }

    /// The system's call.
    package static let systemFlush: @Sendable (CInt) -> CInt = { descriptor in
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
        #else
        fdatasync(descriptor)
        #endif
    }

    private static func open(_ path: String, _ sync: AuditConfiguration.Sync) throws -> OpenFile {
        let trail = try TrailDescriptor(opening: path, .create)
        guard flock(trail.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? trail.descriptor.close()
            throw ConfigurationError(
                "Another process has locked the audit file \(path). Use a separate file for each service."
            )
        }
        if sync != .never { try syncFolder(of: path) }
        return OpenFile(trail: trail)
    }

    /// Makes a new file's name durable.
    private static func syncFolder(of path: String) throws {
        let folder = FilePath(path).removingLastComponent()
        let descriptor = try FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: .closeOnExec)
        defer { try? descriptor.close() }
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Reopens the file if the one at the path is a different file.
    ///
    /// - Returns: The size of the file that is now open.
    private func reopenIfReplaced(_ file: inout OpenFile) throws -> Int64 {
        var status = stat()
        // Passed as a string, the path would be copied for each line.
        if path.withCString({ lstat($0, &status) }) == 0, status.st_ino == file.trail.inode,
            status.st_dev == file.trail.device
        {
            return Int64(status.st_size)
        }
        var new = try Self.open(path, mode)
        new.failedSize = file.failedSize
        try? file.trail.descriptor.close()
        file = new
        return try file.trail.descriptor.seek(offset: 0, from: .end)
    }
}

extension ConfigurationError {
    static func unwritable(_ path: String, _ error: any Error) -> Self {
        Self("Cannot write the audit file \(path): \(error). Use a file in a folder that this user can write to.")
    }
}
