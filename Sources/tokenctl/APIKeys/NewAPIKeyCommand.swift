import ArgumentParser
import FleetToken
import ServiceSupport
import SystemPackage
import TokenMinting
import TokenService

struct NewAPIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an API key for a caller.",
        discussion: """
            Prints the key once, and the line that the service stores, which does not reveal the key. With --file \
            the line is added to the file of the caller's keys, and only the key is printed. All keys in a \
            file are valid, so you can hand out a new key before you remove the old line.

            EXAMPLES:
              tokenctl apikey new --label dispatch
              tokenctl apikey new --label dispatch --file api-keys \\
                --not-after 2027-12-31T00:00:00Z
            """
    )

    @Option(help: ArgumentHelp("A label: 1 to 64 visible ASCII characters and spaces.", valueName: "name"))
    var label: String

    @Option(
        help: ArgumentHelp(
            "The expiry in UTC, such as 2027-12-31T00:00:00Z, or seconds since 1970. (default: never)",
            valueName: "time"
        )
    )
    var notAfter: NumericDate?

    @Option(
        help: ArgumentHelp("The API-key file to append the line to. (default: print it)", valueName: "file"),
        completion: .file()
    )
    var file: String?

    func validate() throws {
        if let notAfter, notAfter <= .now {
            throw ValidationError(
                "--not-after is past (\(notAfter.distance(from: .now))): the key would never be accepted."
            )
        }
    }

    func run() throws {
        let new = try NewAPIKey(label: label, notAfter: notAfter)
        guard let file else {
            try Console.write(
                """
                The key, shown this once, for the caller:
                \(new.key.revealText())
                The line for the file of the caller's keys:
                \(new.line)

                """
            )
            return
        }
        try append(new.line, to: file)
        try Console.write(new.key.revealText() + (Console.isOutputTerminal ? "\n" : ""))
    }

    private func append(_ line: String, to path: String) throws(CommandError) {
        do {
            let file = try FileDescriptor.open(
                FilePath(path),
                .readWrite,
                options: [.create, .append, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file.closeAfter { try file.appendLine(line) }
        } catch {
            throw CommandError(.failure, "Cannot write \(path): \(FileContent.hint(error)).")
        }
    }
}

extension FileDescriptor {
    /// Appends a line to the file in one write, after completing the last line if necessary.
    fileprivate func appendLine(_ line: String) throws {
        // Two commands at once must not tear each other's line.
        guard flock(rawValue, LOCK_EX) == 0 else { throw Errno(rawValue: errno) }
        let size = try seek(offset: 0, from: .end)
        var last = [UInt8(ascii: "\n")]
        if size > 0 { _ = try last.withUnsafeMutableBytes { try read(fromAbsoluteOffset: size - 1, into: $0) } }
        let bytes = Array("\(last == [UInt8(ascii: "\n")] ? "" : "\n")\(line)\n".utf8)
        guard try bytes.withUnsafeBytes({ try write($0) }) == bytes.count else {
            // A partial line would keep the service from reading the file.
            ftruncate(rawValue, off_t(size))
            throw Errno.noSpace
        }
    }
}
