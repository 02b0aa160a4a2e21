import ArgumentParser
import JOSE
import ServiceSupport
import TokenService

/// Checks what a key file contains and whether it is usable.
struct CheckKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check what a key file contains and whether it is usable.",
        discussion: """
            Reads a service account's JSON key or PEM, and shows no more than the public half.

            EXAMPLES:
              tokenctl keys check service-account.json
              tokenctl keys check private.pem -o jwks > jwks.json
              gcloud secrets versions access latest --secret=driver |
                tokenctl keys check -

            \(ExitStatus.help)
            """
    )

    @Argument(help: "The file that contains the key; - for standard input.", completion: .file())
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Text, JSON, or the public key as a key set.", valueName: "format")
    )
    var output = KeyOutput.text

    @Flag(name: .shortAndLong, help: "Print problems only.")
    var quiet = false

    func run() throws {
        let isFile = file != "-"
        let key = try KeyInspection(ofFileAt: file)
        let exposure = isFile && key.isSecret ? try KeyFile.exposure(file) : nil
        if !quiet || output == .jwks {
            try output.write(key, title: isFile ? file : "standard input", exposure: exposure)
        }
        if let exposure { Console.note("Warning: \(exposure)") }
    }
}

/// How a key is shown: never more than its public half.
enum KeyOutput: String, CaseIterable, ExpressibleByArgument {
    case text, json, jwks

    /// Writes a description of a key; `title` begins its line for people.
    func write(_ key: KeyInspection, title: String, exposure: String? = nil) throws {
        switch self {
        case .text: try Console.write("\(title): \(key.title).\n\(key.text)")
        case .json: try Console.write(key.json(warnings: exposure.map { [$0] } ?? []))
        case .jwks:
            var keys = JWKSet()
            try keys.insert(key.jwk)
            try Console.write(keys.encoded() + [UInt8(ascii: "\n")])
        }
    }
}
