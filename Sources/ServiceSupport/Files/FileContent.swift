package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reading files that users name, with one wording for what goes wrong.
package enum FileContent {
    /// Reads a file of any type to its end or to a limit.
    ///
    /// - Throws: ``FileError`` that names the file and says what to do.
    package static func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try read(file, atMost: limit) }
        } catch {
            throw FileError("Cannot read \(path): \(hint(error)).")
        }
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
        default: "unknown error"
        }
    }
}
