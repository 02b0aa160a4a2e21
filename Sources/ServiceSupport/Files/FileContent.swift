package import SystemPackage

/// Reading files that users name, with one wording for what goes wrong.
package enum FileContent {
    /// Reads a file to its end or to a limit; where it should be a regular file, no other: a pipe may never end, or never begin.
    ///
    /// - Throws: ``OperatorError`` that names the file and says what to do.
    package static func read(
        _ path: String,
        atMost limit: Int,
        isRegular: Bool = false
    ) throws(OperatorError) -> [UInt8] {
        do {
            // Opening a pipe would wait for a writer without `nonBlocking`; for a file it means nothing.
            let options: FileDescriptor.OpenOptions = isRegular ? [.closeOnExec, .nonBlocking] : [.closeOnExec]
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
            return try file.closeAfter {
                if isRegular { _ = try regularStatus(of: file) }
                return try read(file, atMost: limit)
            }
        } catch {
            throw .file(action: "read", path, error)
        }
    }

    /// Returns the status of an open file, which must be a regular one.
    static func regularStatus(of file: FileDescriptor) throws -> stat {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Errno.isDirectory }
        guard status.st_mode & S_IFMT == S_IFREG else { throw UnsuitableFile(hint: "it is not a regular file") }
        return status
    }

    /// Reads an open file to its end or to a limit.
    package static func read(_ file: FileDescriptor, atMost limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let room = min(64 * 1024, limit - bytes.count)
            let chunk = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        return bytes
    }

    /// What went wrong with a file, in a few words.
    package static func hint(_ error: any Error) -> String {
        switch error {
        case Errno.noSuchFileOrDirectory: "no such file or folder"
        case Errno.isDirectory: "it is a folder, not a file"
        case Errno.permissionDenied: "permission denied; grant access to the user that runs this, or to its group"
        case let error as Errno: error.description
        case let error as UnsuitableFile: error.hint
        default: "unknown error"
        }
    }
}

extension OperatorError {
    static func file(action: String, _ path: String, _ error: any Error) -> Self {
        Self("Cannot \(action) \(path): \(FileContent.hint(error)).")
    }
}
