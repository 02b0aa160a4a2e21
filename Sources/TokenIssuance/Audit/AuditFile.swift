import ServiceSupport
import Synchronization
import SystemPackage

/// The append-only file of an audit trail; a new one is readable only by its owner.
///
/// Lines are passed to the operating system before their tokens are released, so they survive a crash of the service; a crash
/// of the machine may lose the last ones. A partial line at the end has no token, and the next write removes it. If the file
/// at the path was renamed or removed, a new file is created. On each opening the file must be one that no other user can
/// change or has created. A lock on the file prevents a second service from writing to it.
package final class AuditFile: AuditSink {
    private struct OpenFile {
        let trail: TrailDescriptor
        /// Where the last complete line ends; nil before the first write.
        var end: Int64?
        /// Whether lines of a failed write could not be cut off.
        var isTorn = false
        /// The size of the lines that could not be written last, in bytes; nil after a write that succeeded.
        var failedSize: Int?
    }

    private let path: String
    private let file: Mutex<OpenFile>

    /// Creates an audit file by opening or creating the file at a path.
    ///
    /// - Throws: ``OperatorError`` if it is not a trail, or could be changed or written by others.
    package init(path: String) throws {
        self.path = path
        file = Mutex(try Self.open(path))
    }

    deinit {
        file.withLock { try? $0.trail.descriptor.close() }
    }

    package func write(_ bytes: [UInt8]) throws {
        try file.withLock { file in
            do {
                let end = try prepare(&file)
                try append(bytes, to: &file, at: end)
                file.end = end + Int64(bytes.count)
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
            _ = try size(&file)
            try file.trail.requireRoom()
            guard let failedSize = file.failedSize else { return }
            let end = try prepare(&file)
            try append([UInt8](repeating: UInt8(ascii: " "), count: failedSize), to: &file, at: end)
            file.isTorn = true
            try Self.truncate(file, to: end)
            file.isTorn = false
            file.failedSize = nil
        }
    }

    /// Opens the file at the path if it is another one, and cuts off a partial line.
    ///
    /// - Returns: Where the file ends.
    private func prepare(_ file: inout OpenFile) throws -> Int64 {
        let size = try size(&file)
        var end = file.end ?? -1
        // Any other size results from a crash or from another process.
        if size < end || !file.isTorn && size > end { end = try file.trail.endOfLines(in: size) }
        if size > end { try Self.truncate(file, to: end) }
        file.end = end
        file.isTorn = false
        return end
    }

    /// Writes bytes behind the last line, all of them or none.
    private func append(_ bytes: [UInt8], to file: inout OpenFile, at end: Int64) throws {
        do {
            let written = try bytes.withUnsafeBytes { try file.trail.descriptor.write($0) }
            guard written == bytes.count else { throw Errno.noSpace }
        } catch {
            // No token was issued for these lines; their sequence numbers are reused.
            file.isTorn = (try? Self.truncate(file, to: end)) == nil
            throw error
        }
    }

    private static func open(_ path: String) throws -> OpenFile {
        let trail = try TrailDescriptor(opening: path, .create)
        guard flock(trail.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? trail.descriptor.close()
            throw OperatorError(
                "Another process has locked the audit file \(path). Use a separate file for each service."
            )
        }
        return OpenFile(trail: trail)
    }

    /// Returns the size of the file at the path, which is opened if it is another one than the open file.
    private func size(_ file: inout OpenFile) throws -> Int64 {
        var status = stat()
        // The path itself, and not what a link leads to.
        if lstat(path, &status) == 0, status.st_ino == file.trail.inode, status.st_dev == file.trail.device {
            return Int64(status.st_size)
        }
        var new = try Self.open(path)
        new.failedSize = file.failedSize
        try? file.trail.descriptor.close()
        file = new
        // Another process may have written to it until it was locked.
        guard fstat(file.trail.descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        return Int64(status.st_size)
    }

    /// Cuts off what follows a size.
    private static func truncate(_ file: OpenFile, to size: Int64) throws {
        guard ftruncate(file.trail.descriptor.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
    }
}
