import ArgumentParser
import FleetToken
import ServiceTools
import StrictCoding

/// Gets a token from a server.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a token from a server.",
        discussion: """
            EXAMPLES:
              tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id v1 |
                tokenctl inspect
              tokenctl fetch --server https://tokens.example.com --kind consumer \\
                --id trip-1 --header-file headers

            \(ExitStatus.help(.malformedToken, .network))
            """
    )

    /// The output format of the token.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case token, json
    }

    @Option(help: ArgumentHelp("The token server: an https URL, or http to this machine.", valueName: "url"))
    var server: String

    @Option(help: "The kind of token.")
    var kind: TokenKind

    @OptionGroup
    var resources: ResourceOptions

    @Option(
        help: ArgumentHelp(
            "A file with one header field per line, such as Authorization: Bearer …. (default: no header fields)",
            valueName: "file"
        ),
        completion: .file()
    )
    var headerFile: String?

    @Option(name: .shortAndLong, help: "The token only, or JSON with its expiry.")
    var output = Output.token

    func run() async throws {
        let scope = try resources.scope(of: kind, alphabet: .unicode)
        let fields = try HeaderFile.read(headerFile)
        let token = try await TokenServer(server).token(for: scope, fields: fields)
        switch output {
        case .token: try Console.write(token.bytes + (Console.isOutputTerminal ? [UInt8(ascii: "\n")] : []))
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("token", utf8: token.bytes)
                writer.member("expirationTimestamp", token.expiresAt.seconds * 1000)
            }
            try Console.write(writer.bytes + [UInt8(ascii: "\n")])
        }
    }
}

/// Header fields from a file, so that no credential is in an argument.
enum HeaderFile {
    private static let maximumKibibytes = 64

    /// Reads a field a line; none without a file.
    ///
    /// - Throws: ``CommandError`` that describes the problem and repeats nothing of the file.
    static func read(_ path: String?) throws(CommandError) -> [(name: String, value: String)] {
        guard let path else { return [] }
        let limit = maximumKibibytes * 1024
        // A byte more, which tells that it is too large.
        let bytes = try Input.read(path, atMost: limit + 1)
        guard bytes.count <= limit else {
            throw CommandError(.failure, "The header file has more than \(maximumKibibytes) KiB.")
        }
        var fields: [(name: String, value: String)] = []
        var names: Set<String> = []
        // Only a line feed ends a line; `Character` treats other bytes as line ends too.
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line != [UInt8(ascii: "\r")] {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandError(.failure, "A line of the header file is not in the form NAME: VALUE.")
            }
            let value = trimmed(parts[1])
            guard parts[0].allSatisfy(isTokenByte), value.allSatisfy({ $0.isASCIIPrintable || $0 == 0x09 }) else {
                throw CommandError(.failure, "The header file has a character that HTTP does not allow.")
            }
            let name = String(decoding: parts[0], as: UTF8.self)
            guard names.insert(name.lowercased()).inserted else {
                throw CommandError(.failure, "Duplicate field in the header file.")
            }
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        return fields
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Returns the value without surrounding white space and without a trailing CR.
    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = (value.last == UInt8(ascii: "\r") ? value.dropLast() : value).drop(while: \.isASCIIBlank)
        while let last = value.last, last.isASCIIBlank { value.removeLast() }
        return value
    }
}
