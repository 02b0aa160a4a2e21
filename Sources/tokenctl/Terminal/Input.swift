import JOSE
import SystemPackage

/// Bounded input of a command.
enum Input {
    /// Reads a token: the content of a file, or of standard input for `-` or nil, without one trailing line break.
    static func token(_ path: String?) throws(CommandError) -> [UInt8] {
        if path ?? "-" == "-", Console.isInputTerminal {
            Console.note("Paste a token, then press Return and Control-D.")
        }
        // Three bytes more than the maximum: the line break, and one that detects oversized input.
        var bytes = try read(path, atMost: CompactJWS.maximumSize + 3)
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        guard !bytes.isEmpty else { throw CommandError(.malformedToken, "No token: the input is empty.") }
        return bytes
    }

    /// Reads a file, or standard input for `-` or nil, to its end or to a limit.
    static func read(_ path: String?, atMost limit: Int) throws(CommandError) -> [UInt8] {
        do {
            guard let path, path != "-" else { return try read(.standardInput, limit) }
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try read(file, limit) }
        } catch {
            throw CommandError(.failure, "Cannot read \(path ?? "standard input"): \(error).")
        }
    }

    private static func read(_ file: FileDescriptor, _ limit: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let read = try bytes.withUnsafeMutableBytes { try file.read(into: .init(rebasing: $0[count...])) }
            guard read > 0 else { break }
            count += read
        }
        return Array(bytes[..<count])
    }
}
