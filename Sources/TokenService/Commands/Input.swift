import FleetToken
import JOSE
import ServiceSupport
import SystemPackage
import TokenMinting

/// Bounded input of a command.
package enum Input {
    /// Reads a token from a file, or with `-` or nil from standard input.
    ///
    /// The input is the token alone, an `Authorization` header line, or the service's JSON response.
    package static func token(_ path: String?) throws(CommandError) -> [UInt8] {
        if path ?? "-" == "-", Console.isInputTerminal {
            Console.note("Paste a token, then press Return and Control-D.")
        }
        // Room for a response's JSON, which has the token twice, and a byte that tells that it is too large.
        var bytes = try read(path, atMost: 2 * CompactJWS.maximumSize + 4096)
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        guard !bytes.isEmpty else { throw CommandError(.failure, "No token: the input is empty.") }
        return try tokenInAnswer(bytes) ?? tokenInHeader(bytes) ?? bytes
    }

    private static func tokenInHeader(_ bytes: [UInt8]) -> [UInt8]? {
        let words = bytes.split(whereSeparator: \.isASCIIBlank)
        let names = words.dropLast().map(\.lowercasedASCII)
        let known = [["authorization:", "bearer"], ["bearer"]].map { $0.map { Array($0.utf8) } }
        return known.contains(names) ? words.last.map { Array($0) } : nil
    }

    private static func tokenInAnswer(_ bytes: [UInt8]) throws(CommandError) -> [UInt8]? {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        guard let answer = try? JSONParser.parseObject(bytes) else {
            throw CommandError(.failure, "The input begins like JSON but is not valid JSON.")
        }
        guard let token = answer["token"]?.stringValue else {
            throw CommandError(.failure, "The JSON has no member token, so it is not a response of the service.")
        }
        return Array(token.utf8)
    }

    /// Reads a file, or standard input for `-` or nil, to its end or to a limit.
    package static func read(_ path: String?, atMost limit: Int) throws(CommandError) -> [UInt8] {
        do {
            guard let path, path != "-" else { return try FileContent.read(.standardInput, atMost: limit) }
            return try FileContent.read(path, atMost: limit)
        } catch let error as FileError {
            throw CommandError(.failure, error.description)
        } catch {
            throw CommandError(.failure, "Cannot read standard input: \(FileContent.hint(error)).")
        }
    }
}
