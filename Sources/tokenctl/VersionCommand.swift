import ArgumentParser

/// Shows the version.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Show the version.")

    /// What `--version` shows too.
    static let text = "tokenctl 0.1.0"

    func run() throws {
        try Console.write("\(Self.text)\n")
    }
}
