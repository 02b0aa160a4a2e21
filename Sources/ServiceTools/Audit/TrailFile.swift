package import ServiceSupport
import SystemPackage
import TokenIssuance

/// The files of an audit trail, each read a piece at a time; `-` is standard input.
package enum TrailFile {
    private static let pieceSize = 64 * 1024
    /// The first bytes of a file that is compressed with gzip.
    private static let gzip: [UInt8] = [0x1F, 0x8B]

    /// Reads a file until its end, or until a function returns that it needs no more.
    ///
    /// - Throws: ``FileError`` that names the file and says what to do.
    package static func read(_ path: String, _ body: (_ piece: [UInt8]) -> Bool) throws(FileError) {
        let isInput = path == "-"
        do {
            let file =
                isInput ? .standardInput : try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            defer { if !isInput { try? file.close() } }
            var piece = try FileContent.read(file, atMost: pieceSize)
            guard !piece.starts(with: gzip) else { throw compressed(path) }
            while !piece.isEmpty, body(piece) { piece = try FileContent.read(file, atMost: pieceSize) }
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError("Cannot read \(isInput ? "standard input" : path): \(FileContent.hint(error)).")
        }
    }

    /// The number of a file's first audit line; the largest where it has none near its beginning.
    private static func firstSequence(of path: String) throws(FileError) -> UInt64 {
        var first: UInt64?
        try read(path) { piece in
            first = piece.split(separator: UInt8(ascii: "\n")).lazy.compactMap { AuditLine($0)?.sequence }.first
            return false
        }
        return first ?? .max
    }

    /// Sorts the files of a rotated trail by their first lines' numbers; those without one stay behind.
    package static func inOrder(_ paths: [String]) throws(FileError) -> [String] {
        guard paths.count > 1, !paths.contains("-") else { return paths }
        var numbered: [(path: String, first: UInt64)] = []
        for path in paths { numbered.append((path, try firstSequence(of: path))) }
        // The order of equal ones stays: the sort is stable.
        return numbered.sorted { $0.first < $1.first }.map(\.path)
    }

    private static func compressed(_ path: String) -> FileError {
        guard path != "-" else { return FileError("Standard input is compressed. Decompress it with zcat.") }
        return FileError(
            "\(path) is compressed. Run: zcat \(path) | tokenctl audit verify -. For several files, name the oldest first: zcat -f FILES | tokenctl audit verify -."
        )
    }
}
