import ArgumentParser
import TokenMinting

/// Checks what a key file contains and whether it is usable.
struct CheckKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check what a key file contains and whether it is usable.",
        discussion: """
            Reads a service account's JSON key or PEM, and shows no more than the public half. The exit status is 3 for a \
            key that cannot be used.

            EXAMPLES:
              tokenctl keys check service-account.json
              tokenctl keys check private.pem -o jwks > jwks.json
            """
    )

    @Argument(help: "The file that contains the key.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "Text, or the public key as a key set.")
    var output = KeyOutput.text

    func run() throws {
        let key = try KeyInspection(ofFileAt: file)
        try output.write(key, title: file)
        if key.isSecret, try KeyFile.isReadableByOthers(file) {
            Console.note("Warning: other users of this machine can read \(file). Run: chmod 600 \(file)")
        }
    }
}
