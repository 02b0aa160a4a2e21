package import ServiceConfiguration
import ServiceSupport
import Synchronization
import SystemPackage
import TokenMinting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The append-only file of an audit trail; a new one is readable only by its owner.
///
/// A machine crash during a write can leave a partial line; its token was never released, and the next write removes
/// the line. Lines are passed to the operating system before their tokens are released, so they survive a crash of the
/// service; whether they survive a crash of the machine depends on ``AuditConfiguration/Sync``. If the file at the path
/// was renamed or removed, a new file is created and the chain continues in it, also after a restart if the renamed file
/// is still beside it. On each opening the file must be one
/// that no other user can change or has created. A lock on the file prevents a second service from writing to it.
package final class AuditFile: AuditSink {
    /// The file that is open.
    private struct OpenFile {
        let descriptor: FileDescriptor
        let inode: ino_t
        let device: dev_t
        /// The size after the last complete line written here; nil before the first.
        var size: Int64?
        /// Whether lines of a failed write could not be cut off.
        var isTorn = false
        /// Whether a crash of the machine may lose lines.
        var isDirty = false
        /// Whether the last attempt to make them durable failed.
        var isUnsafe = false
        /// The size of the lines that could not be written last, in bytes; nil after a write that succeeded.
        var failedSize: Int?
    }

    /// The bytes that the disk must have room for: those of a few hundred lines.
    private static let probeSize = 64 * 1024

    private let path: String
    private let mode: AuditConfiguration.Sync
    private let flush: @Sendable (_ descriptor: CInt) -> CInt
    private let file: Mutex<OpenFile>

    /// Creates an audit file by opening or creating the file at a path.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - sync: When its lines become durable.
    ///   - flush: Makes a descriptor's lines durable, as `fdatasync(2)` does; returns -1 if that fails.
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
        file.withLock { try? $0.descriptor.close() }
    }

    /// Returns the last line; if the file is empty, that of the file from which it was renamed before the start.
    package func lastLine() throws -> [UInt8]? {
        try file.withLock { try Self.lastLine($0.descriptor) } ?? Self.lastLine(beside: path)
    }

    /// Returns the last line of the newest trail whose file name begins with the path's, such as `audit.jsonl.1`.
    private static func lastLine(beside path: String) -> [UInt8]? {
        let path = FilePath(path)
        let folder = path.removingLastComponent()
        guard let name = path.lastComponent?.string,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
        else { return nil }
        let lines = names.filter { $0 != name && $0.utf8.starts(with: name.utf8) }.compactMap { name -> [UInt8]? in
            guard let file = try? openTrail(folder.appending(name).string).file else { return nil }
            defer { try? file.close() }
            return try? lastLine(file)
        }
        return lines.max { AuditLine($0)?.sequence ?? 0 < AuditLine($1)?.sequence ?? 0 }
    }

    package func write(_ bytes: [UInt8], lines: Int) throws {
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

    /// Opens the file at the path if it is another one, and cuts off a partial line.
    ///
    /// - Returns: The file's size.
    private func prepare(_ file: inout OpenFile) throws -> Int64 {
        var size = try reopenIfReplaced(&file)
        if file.isTorn, let whole = file.size, size > whole {
            guard ftruncate(file.descriptor.rawValue, off_t(whole)) == 0 else { throw Errno(rawValue: errno) }
            size = whole
        }
        // Any other size results from a crash or from another process.
        if size != file.size { size = try Self.wholeSize(file.descriptor, size) }
        file.size = size
        file.isTorn = false
        return size
    }

    /// Writes bytes behind the last line, all of them or none.
    private func append(_ bytes: [UInt8], to file: inout OpenFile, at size: Int64) throws {
        do {
            let written = try bytes.withUnsafeBytes { try file.descriptor.write($0) }
            guard written == bytes.count else { throw Errno.noSpace }
            file.isDirty = true
            if mode == .each || file.isUnsafe { try keep(&file) }
        } catch {
            // A partial line would break the chain, and so would lines of a failed write.
            file.isTorn = ftruncate(file.descriptor.rawValue, off_t(size)) != 0
            throw error
        }
    }

    /// Makes the lines durable.
    ///
    /// If that fails, the next write tries again, and fails if that fails.
    package func sync() {
        file.withLock { file in
            if file.isDirty { try? keep(&file) }
        }
    }

    private func keep(_ file: inout OpenFile) throws(Errno) {
        file.isUnsafe = true
        guard flush(file.descriptor.rawValue) != -1 else { throw Errno(rawValue: errno) }
        file.isUnsafe = false
        file.isDirty = false
    }

    /// The system's call.
    package static let systemFlush: @Sendable (CInt) -> CInt = { descriptor in
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
        #else
        fdatasync(descriptor)
        #endif
    }

    /// Throws an error if a line could not be written now.
    ///
    /// After a failed write, bytes of the same size are written and cut off again: quotas, reserved blocks and a file system
    /// that became read-only show in a write only. The bytes end no line, so a crash in between leaves a partial line.
    package func check() throws {
        try file.withLock { file in
            _ = try reopenIfReplaced(&file)
            try Self.requireRoom(file.descriptor)
            guard let probeSize = file.failedSize ?? (file.isUnsafe ? 1 : nil) else { return }
            let size = try prepare(&file)
            try append([UInt8](repeating: UInt8(ascii: " "), count: probeSize), to: &file, at: size)
            file.isTorn = ftruncate(file.descriptor.rawValue, off_t(size)) != 0
            guard !file.isTorn else { throw Errno(rawValue: errno) }
            file.failedSize = nil
        }
    }

    private static func requireRoom(_ file: FileDescriptor) throws {
        var disk = statvfs()
        guard fstatvfs(file.rawValue, &disk) == 0 else { throw Errno(rawValue: errno) }
        // Blocks reserved for the superuser are not available to other users.
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        // A disk without a size, such as some in memory, reports no free blocks either.
        guard blocks > 0 || disk.f_blocks == 0 else { throw Errno.noSpace }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns the size of the complete lines, after truncating a partial last line.
    private static func wholeSize(_ file: FileDescriptor, _ size: Int64) throws -> Int64 {
        guard size > 0, try read(file, from: size - 1, to: size) != [newline] else { return size }
        let end = try wholeLines(file, size).end
        guard ftruncate(file.rawValue, off_t(end)) == 0 else { throw Errno(rawValue: errno) }
        return end
    }

    /// Returns the last complete lines of a file and their end.
    private static func wholeLines(_ file: FileDescriptor, _ size: Int64) throws -> (bytes: [UInt8], end: Int64) {
        // A line is a few hundred bytes, a batch's less than 16 KiB.
        let start = max(0, size - 64 * 1024)
        let tail = try read(file, from: start, to: size)
        guard let end = tail.lastIndex(of: newline) else { throw ConfigurationError(AuditTrail.notATrail) }
        return (Array(tail[...end]), start + Int64(end) + 1)
    }

    /// Returns the last complete line, or nil for an empty file.
    ///
    /// - Throws: ``ConfigurationError`` if it is not an audit line.
    private static func lastLine(_ file: FileDescriptor) throws -> [UInt8]? {
        let size = try file.seek(offset: 0, from: .end)
        guard size > 0 else { return nil }
        guard let last = try wholeLines(file, size).bytes.split(separator: newline).last, AuditLine(last) != nil else {
            throw ConfigurationError(AuditTrail.notATrail)
        }
        return Array(last)
    }

    private static func read(_ file: FileDescriptor, from start: Int64, to end: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: start, into: $0) }
        return Array(bytes[..<count])
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
        let file = try openTrail(path).file
        defer { try? file.close() }
        try probe(path) { try requireRoom(file) }
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

    private static func open(_ path: String, _ sync: AuditConfiguration.Sync) throws -> OpenFile {
        let (file, status) = try openTrail(path, .create)
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? file.close()
            throw ConfigurationError(
                "Another process has locked the audit file \(path). Use a separate file for each service."
            )
        }
        if sync != .never { try syncFolder(of: path) }
        return OpenFile(descriptor: file, inode: status.st_ino, device: status.st_dev)
    }

    /// Opens a file that is a trail or empty, and that no other user can change or has created.
    private static func openTrail(
        _ path: String,
        _ options: FileDescriptor.OpenOptions = []
    ) throws -> (file: FileDescriptor, status: stat) {
        let problems = TrustedFile(path, isWritten: true).problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
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
            let status = try status(of: file, path)
            _ = try lastLine(file)
            return (file, status)
        } catch {
            try? file.close()
            throw error
        }
    }

    /// Returns the status of a regular file that belongs to root or this user.
    private static func status(of file: FileDescriptor, _ path: String) throws -> stat {
        var status = stat()
        // A device such as /dev/null discards every line.
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(
                "The audit file \(path) is not a regular file. Use a regular file, or set stdout: true."
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
        if path.withCString({ lstat($0, &status) }) == 0, status.st_ino == file.inode, status.st_dev == file.device {
            return Int64(status.st_size)
        }
        if mode != .never, file.isDirty { try keep(&file) }
        var new = try Self.open(path, mode)
        new.failedSize = file.failedSize
        try? file.descriptor.close()
        file = new
        return try file.descriptor.seek(offset: 0, from: .end)
    }
}

extension ConfigurationError {
    fileprivate static func unwritable(_ path: String, _ error: any Error) -> Self {
        Self("Cannot write the audit file \(path): \(error). Use a file in a folder that this user can write to.")
    }
}
