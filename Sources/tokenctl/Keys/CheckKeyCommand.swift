import ArgumentParser
import TokenMinting

/// Says what a key file holds and whether it can be used.
struct CheckKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a key file holds and whether it can be used.",
        discussion: """
            Reads a service account's JSON key or PEM, and shows no more than the public half. The exit status is 3 for a \
            key that cannot be used.

            EXAMPLES:
              tokenctl keys check service-account.json
              tokenctl keys check private.pem -o jwks > jwks.json
            """
    )

    @Argument(help: "The file that holds the key.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "For people, or the public key as a key set.")
    var output = KeyOutput.text

    func run() throws {
        let key = try KeyInspection(ofFileAt: file)
        try output.write(key, title: file)
        if key.isSecret, try KeyFile.isReadableByOthers(file) {
            Console.note("Warning: other users of this machine can read \(file). Run: chmod 600 \(file)")
        }
    }
}
