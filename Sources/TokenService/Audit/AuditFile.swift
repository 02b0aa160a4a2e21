import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An audit trail's file: only its owner reads it, and it is only ever added to.
///
/// When the file at the path is another one than before, since it was renamed or removed, a new one is begun; the chain
/// goes on in it.
final class AuditFile: AuditSink {
    private let path: String
    private let file: Mutex<FileDescriptor>

    /// Opens the file, or makes it.
    init(path: String) throws {
        self.path = path
        file = Mutex(try Self.open(path))
    }

    deinit {
        file.withLock { try? $0.close() }
    }

    func lastLine() throws -> [UInt8]? {
        try file.withLock { file in
            let size = try file.seek(offset: 0, from: .end)
            guard size > 0 else { return nil }
            // A line is a few hundred bytes, a batch's less than 16 KiB.
            let start = max(0, size - 64 * 1024)
            var tail = [UInt8](repeating: 0, count: Int(size - start))
            let count = try tail.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: start, into: $0) }
            // The next line would be written behind what a crash left of this one, and neither could be read.
            guard tail[..<count].last == UInt8(ascii: "\n") else {
                throw ConfigurationError("The audit file \(path) ends within a line. Move it away; a new one is begun.")
            }
            return tail[..<count].split(separator: UInt8(ascii: "\n")).last.map { Array($0) }
        }
    }

    func write(_ line: [UInt8]) throws {
        try file.withLock { file in
            try Self.reopenIfReplaced(&file, path)
            let size = try file.seek(offset: 0, from: .end)
            do {
                let written = try line.withUnsafeBytes { try file.write($0) }
                guard written == line.count else { throw Errno.noSpace }
            } catch {
                // Half a line would break the chain; what was there before is whole.
                ftruncate(file.rawValue, off_t(size))
                throw error
            }
        }
    }

    func check() throws {
        try file.withLock { try Self.reopenIfReplaced(&$0, path) }
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                options: [.create, .append, .closeOnExec],
                permissions: .ownerReadWrite
            )
        } catch {
            throw ConfigurationError(
                "Cannot write the audit file \(path): \(error). Name a file in a folder that this user may write to."
            )
        }
        var status = stat()
        // A device such as /dev/null takes every line and keeps none.
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            try? file.close()
            throw ConfigurationError("The audit file \(path) is no regular file. Name one, or say stdout: true.")
        }
        return file
    }

    private static func reopenIfReplaced(_ file: inout FileDescriptor, _ path: String) throws {
        var now = stat()
        var open = stat()
        guard fstat(file.rawValue, &open) == 0 else { throw Errno(rawValue: errno) }
        if stat(path, &now) == 0, now.st_ino == open.st_ino, now.st_dev == open.st_dev { return }
        let new = try Self.open(path)
        try? file.close()
        file = new
    }
}
