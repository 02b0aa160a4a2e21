import AsyncHTTPClient
import FleetToken
import ServiceConfiguration
import ServiceSupport
import StrictCoding
import SystemPackage
import TokenIssuance
import TokenMinting
import TokenService

/// An archive with what a person needs to help who cannot see the machine; it holds no secret.
package struct SupportBundle: Sendable {
    private let path: String
    private let log: String?

    /// Creates a bundle.
    ///
    /// - Parameters:
    ///   - path: The archive to write, a gzipped tar.
    ///   - log: The service's log; nil for the journal.
    /// - Throws: ``CommandError`` if the archive exists.
    package init(at path: String, log: String?) throws(CommandError) {
        self.path = path
        self.log = log
        guard !KeyFile.isPresent(path) else { throw exists }
    }

    private var exists: CommandError {
        CommandError(.failure, "\(path) exists, and is never replaced. Name another file.")
    }

    /// The files that commands of the system write, which may be missing: their messages say so then.
    private var commands: [(name: String, command: String)] {
        [
            ("system", "uname -a; cat /etc/os-release; tokend --version"),
            ("limits", "for p in $(pidof tokend); do echo process $p; cat /proc/$p/limits /proc/$p/status; done"),
            ("clock", "date -u +%FT%TZ; cat /proc/uptime; timedatectl show"),
            ("sockets", "ss -tlnp || cat /proc/net/tcp /proc/net/tcp6"),
            ("log", log == nil ? "journalctl -u tokend -n 1000 --no-pager -o cat" : "tail -n 1000 -- \"$BUNDLED\""),
        ]
    }

    /// Collects the files, and writes the archive.
    ///
    /// - Parameters:
    ///   - findings: What the doctor found.
    ///   - configuration: The configuration's file.
    /// - Throws: ``ConfigurationError`` if that cannot be read, ``CommandError`` or ``FileError`` if the archive cannot be written.
    package func write(_ findings: [Finding], of configuration: String) async throws {
        let yaml = try ConfigurationText.read(configuration)
        let file = ConfigurationFile(yaml: yaml, path: configuration)
        let settings =
            ConfigurationText.parse(yaml, ConfigurationProblems(file: configuration)).map(Self.leaves) ?? []
        var texts = commands.map { ($0.name, Self.output("(\($0.command)) 2>&1", with: log ?? "")) }
        texts += [
            ("findings", Array(Report(findings).text(isQuiet: false).utf8)),
            ("configuration", Array(Self.text(of: settings, file).utf8)),
            ("version", Array("\(ProductVersion.text(of: "tokenctl"))\n".utf8)),
        ]
        if let admin = file.readable?.admin {
            texts += [("metrics", await Self.page("/metrics", of: admin))]
            texts += [("readiness", await Self.page("/readyz?verbose", of: admin))]
        }
        let folder = try Self.temporaryFolder()
        defer {
            for (name, _) in texts { unlink("\(folder)/\(name).txt") }
            rmdir(folder)
        }
        let secrets = Self.secrets(of: settings)
        for (name, text) in texts {
            let known = secrets.reduce(text) { $0.replacing($1, with: SecretPattern.mark) }
            _ = try KeyFile.create("\(folder)/\(name).txt", SecretPattern.redacted(known))
        }
        let archive = Self.output("tar -cz -C \"$BUNDLED\" .", with: folder)
        guard !archive.isEmpty else { throw CommandError(.failure, "tar is missing, which writes the archive.") }
        guard try KeyFile.create(path, archive) else { throw exists }
    }

    private static func temporaryFolder() throws(CommandError) -> String {
        var template = Array("\(Console.environment["TMPDIR"] ?? "/tmp")/tokend-support.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError(.failure, "Cannot create a temporary folder. Set TMPDIR to a folder that is writable.")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns what a shell's command prints, which has a path as `$BUNDLED`.
    private static func output(_ command: String, with path: String) -> [UInt8] {
        setenv("BUNDLED", path, 1)
        guard let pipe = popen(command, "r") else { return [] }
        defer { pclose(pipe) }
        return (try? FileContent.read(FileDescriptor(rawValue: fileno(pipe)), atMost: 16 << 20)) ?? []
    }

    /// Returns a page of the admin listener.
    private static func page(_ target: String, of admin: ListenAddress) async -> [UInt8] {
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][admin.host] ?? admin.host
        let address = ListenAddress(host: host, port: admin.port)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
        var request = OutgoingRequest(.get, "http://\(address)\(target)")
        request.maximumSize = 4 << 20
        let result: [UInt8]
        do throws(OutgoingError) {
            result = try await OutgoingClient(client, clock: .system).send(request).body.reveal()
        } catch {
            result = Array("\(address) does not respond: \(error.finding).\n".utf8)
        }
        try? await client.shutdown()
        return result
    }
}

// MARK: - Without secrets

extension SupportBundle {
    /// Returns the settings, a line each, and those in effect with their defaults.
    ///
    /// The file names secrets only by their files. Where something is wrong, it may hold one by mistake.
    private static func text(of settings: [ConfigurationValue], _ file: ConfigurationFile) -> String {
        let hidden = file.problems.map(\.setting)
        let lines = settings.map { value in
            let isHidden = hidden.contains { $0 == value.path || value.path.hasPrefix("\($0).") }
            return "\(value.path): \(isHidden ? "<redacted>" : withoutCredentials(value.text() ?? ""))"
        }
        let environment = Console.environment.filter { $0.key.hasPrefix("TOKEND_") }
            .map { "\($0.key)=\(withoutCredentials($0.value))" }
        let effective = file.readable.map { "In effect: \($0.listen), \($0.admin), \($0.limits), \($0.connections)" }
        return (lines + environment + [effective ?? "The file cannot be read."]).joined(separator: "\n") + "\n"
    }

    /// The values below one that are no lists or mappings.
    private static func leaves(of value: ConfigurationValue) -> [ConfigurationValue] {
        value.isMapping
            ? value.entries().flatMap { leaves(of: $0.value) }
            : value.isList ? value.list().flatMap(leaves) : [value]
    }

    /// Returns a URL without its user, password and query; any other text as it is.
    private static func withoutCredentials(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let rest = text[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        guard let at = rest.lastIndex(of: "@") else { return text[..<scheme.upperBound] + String(rest) }
        return text[..<scheme.upperBound] + String(rest[rest.index(after: at)...])
    }

    /// The settings that name a file with a secret.
    private static let secretFiles: Set = [
        "serviceAccount", "pem", "credentials", "pinFile", "key", "secretFile", "passwordFile", "idHmacKeyFile",
    ]

    /// Returns what secret files hold, which another program may have written to the log.
    ///
    /// They are found by the names of settings, because a configuration with problems is not read as a whole.
    private static func secrets(of settings: [ConfigurationValue]) -> [[UInt8]] {
        settings.filter { secretFiles.contains($0.path.split(separator: ".").last.map(String.init) ?? "") }
            .compactMap { $0.file().flatMap { try? KeyFile.read($0) } }
            .flatMap { content in
                let key = (try? JSONParser.parseObject(content))?["private_key"]?.stringValue
                let text = key.map { Array($0.utf8) } ?? content
                // Each line of a key is a part of it; the lines around it are not.
                return text.split(separator: UInt8(ascii: "\n")).filter { !$0.starts(with: "-----".utf8) }
            }
            .filter { $0.count >= 4 }.map { Array($0) }
            // One may be part of another.
            .sorted { $0.count > $1.count }
    }
}
