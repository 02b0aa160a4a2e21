package import ServiceSupport
import SystemPackage
import TokenIssuance

/// A file of an audit trail, read a piece at a time.
package final class TrailFile {
    /// The file's path, or `-` for standard input.
    package let path: String
    private let descriptor: FileDescriptor
    private var start: [UInt8]?

    private static let pieceSize = 64 * 1024
    /// The first bytes of a file that is compressed with gzip.
    private static let gzip: [UInt8] = [0x1F, 0x8B]

    /// Opens a file.
    ///
    /// - Throws: ``FileError`` that names the file and says what to do.
    package init(_ path: String) throws(FileError) {
        self.path = path
        do {
            descriptor =
                path == "-"
                ? .standardInput : try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        } catch {
            throw Self.failure(path, error)
        }
        let first = try Self.piece(of: descriptor, path)
        guard !first.starts(with: Self.gzip) else { throw Self.compressed(path) }
        start = first
    }

    deinit {
        if path != "-" { try? descriptor.close() }
    }

    /// The next piece; nil at the end.
    ///
    /// - Throws: ``FileError`` that names the file and says what to do.
    package func next() throws(FileError) -> [UInt8]? {
        let first = start.take()
        let piece = if let first { first } else { try Self.piece(of: descriptor, path) }
        return piece.isEmpty ? nil : piece
    }

    /// The number of a file's first audit line; nil where it has none near its beginning.
    private static func firstSequence(of path: String) throws(FileError) -> UInt64? {
        let file = try TrailFile(path)
        guard let piece = try file.next() else { return nil }
        for line in piece.split(separator: UInt8(ascii: "\n")) {
            if let line = AuditLine(line) { return line.sequence }
        }
        return nil
    }

    /// Sorts the files of a rotated trail by their first lines' numbers; those without one stay behind.
    ///
    /// - Throws: ``FileError`` when a file cannot be read.
    package static func inOrder(_ paths: [String]) throws(FileError) -> [String] {
        guard paths.count > 1, !paths.contains("-") else { return paths }
        var numbered: [(path: String, first: UInt64, index: Int)] = []
        for (index, path) in paths.enumerated() {
            numbered.append((path, try firstSequence(of: path) ?? .max, index))
        }
        return numbered.sorted { ($0.first, $0.index) < ($1.first, $1.index) }.map(\.path)
    }

    private static func piece(of file: FileDescriptor, _ path: String) throws(FileError) -> [UInt8] {
        do {
            return try [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw failure(path, error)
        }
    }

    private static func compressed(_ path: String) -> FileError {
        guard path != "-" else { return FileError("Standard input is compressed. Decompress it with zcat.") }
        return FileError(
            "\(path) is compressed. Run: zcat \(path) | tokenctl audit verify -. For several files, name the oldest first: zcat -f FILES | tokenctl audit verify -."
        )
    }

    private static func failure(_ path: String, _ error: any Error) -> FileError {
        FileError("Cannot read \(path == "-" ? "standard input" : path): \(FileContent.hint(error)).")
    }
}
