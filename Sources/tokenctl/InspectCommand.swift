import ArgumentParser
import FleetToken
import TokenMinting

/// Shows the content of a token.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is in a token, without verifying it.",
        discussion: """
            The exit status is 0 for whatever is a token, even one that has expired, and 2 for anything else.

            EXAMPLES:
              tokenctl inspect token.txt
              tokenctl mint --kind driver --id vehicle-1 | tokenctl inspect
              curl -s http://127.0.0.1:8080/token/driver/vehicle-1 | jq -j .token |
                tokenctl inspect -o json
            """
    )

    /// How the token is shown.
    enum Output: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @Argument(help: "The file that contains the token; omit it or use - for standard input.", completion: .file())
    var file: String?

    @Option(name: .shortAndLong, help: "Text, or JSON.")
    var output = Output.text

    func run() throws {
        let inspection = try TokenInspection(of: try Input.token(file), now: .now)
        switch output {
        case .text: try Console.write(inspection.text)
        case .json: try Console.write(Array("\(inspection.json.pretty())\n".utf8))
        }
    }
}
