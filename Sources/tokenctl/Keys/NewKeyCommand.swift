import ArgumentParser
import JOSE
import ServiceSupport
import TokenMinting
import TokenService

struct NewKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an RSA key.",
        discussion: """
            Writes a new file that only you can read, and never over another one. Google knows neither the key nor the \
            account until the public half is uploaded.

            EXAMPLES:
              tokenctl keys new driver.json
              tokenctl keys new driver.json --email driver@my-project.example -o jwks
              tokenctl keys new private.pem --format pem
            """
    )

    /// The file format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case serviceAccount = "service-account"
        case pem
    }

    @Argument(help: "The file to create; it must not exist.", completion: .file())
    var file: String

    @Option(help: "A JSON key in Google's format, or PKCS#8 PEM.")
    var format = Format.serviceAccount

    @Option(help: ArgumentHelp("The service account's email address.", valueName: "address"))
    var email = "tokenctl@development.invalid"

    @Option(help: ArgumentHelp("The size of the key in bits: 2048 to 8192.", valueName: "bits"))
    var bits = 2048

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Text, JSON, or the public key as a key set.", valueName: "format")
    )
    var output = KeyOutput.text

    func run() async throws {
        let bytes: [UInt8]
        do {
            bytes = try await Console.progress("Creating a key of \(bits) bits …") { try make() }
        } catch {
            // The key was just created with these values, so an error is caused by the arguments.
            throw CommandError(error).map { CommandError(.usage, $0.message) } ?? error
        }
        guard try KeyFile.create(file, bytes) else {
            throw CommandError(.failure, "\(file) already exists and was not changed. Use a new file.")
        }
        try output.write(try KeyInspection(of: bytes), title: "Wrote \(file)")
    }

    private func make() throws -> [UInt8] {
        let key = try RSAPrivateKey.generate(bits: bits)
        return switch format {
        case .serviceAccount: try ServiceAccount(email: email, keyID: key.publicKey.thumbprint, key: key).encoded()
        case .pem: try key.pem()
        }
    }
}
