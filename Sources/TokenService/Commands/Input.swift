import FleetToken
import JOSE
import ServiceSupport
import SystemPackage
import TokenMinting

/// Bounded input of a command.
package enum Input {
    /// Reads a token from a file, or with `-` or nil from standard input.
    ///
    /// The input is the token alone, also in quotes, an `Authorization` header line, also in a curl command, or the service's
    /// JSON response.
    package static func token(_ path: String?) throws(CommandError) -> [UInt8] {
        if path ?? "-" == "-", Console.isInputTerminal {
            Console.note("Paste a token, then press Return and Control-D.")
        }
        // Room for a response's JSON, which has the token twice, and a byte that tells that it is too large.
        let bytes = try read(path, atMost: 2 * CompactJWS.maximumSize + 4096)
        let text = trimmed(bytes.withoutByteOrderMark)
        guard !text.isEmpty else { throw CommandError(.failure, "No token: the input is empty.") }
        if let token = try tokenInResponse(text) { return Array(token) }
        return Array(tokenInHeader(text) ?? unquoted(text))
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.trimming { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.count > 1, let quote = text.first, isQuote(quote), text.last == quote else { return text }
        return trimmed(text.dropFirst().dropLast())
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// Returns what follows `Bearer` in a header field, also within quotes, as on the command line of curl.
    private static func tokenInHeader(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let isEnd = { (byte: UInt8) in byte.isASCIIBlank || (0x0A...0x0D).contains(byte) || isQuote(byte) }
        let words = text.split(whereSeparator: { isEnd($0) || $0 == UInt8(ascii: ":") })
        guard let scheme = words.firstIndex(where: { $0.lowercasedASCII.elementsEqual("bearer".utf8) }) else {
            return nil
        }
        // Another scheme's word would be its own credential.
        return scheme + 1 < words.count ? words[scheme + 1] : nil
    }

    private static func tokenInResponse(_ text: ArraySlice<UInt8>) throws(CommandError) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "{") else { return nil }
        guard let response = try? JSONParser.parseObject(text) else {
            throw CommandError(.failure, "The input begins like JSON but is not valid JSON.")
        }
        guard let token = (response["token"] ?? response["jwt"])?.stringValue else {
            throw CommandError(.failure, "The JSON has no member token or jwt, so it is not a response of the service.")
        }
        return Array(token.utf8)[...]
    }

    /// Reads a file, or standard input for `-` or nil, to its end or to a limit.
    package static func read(_ path: String?, atMost limit: Int) throws(CommandError) -> [UInt8] {
        do {
            guard let path, path != "-" else { return try FileContent.read(.standardInput, atMost: limit) }
            return try FileContent.read(path, atMost: limit)
        } catch let error as OperatorError {
            throw CommandError(.failure, error.description)
        } catch {
            throw CommandError(.failure, "Cannot read standard input: \(FileContent.hint(error)).")
        }
    }
}
