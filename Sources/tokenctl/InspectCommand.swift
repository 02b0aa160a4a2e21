import ArgumentParser
import FleetToken
import TokenService

/// Shows the content of a token.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a token's contents without verifying it.",
        discussion: """
            The input is a token, an Authorization header line, or the service's JSON response. The exit status is 0 for \
            every token, even one that has expired.

            EXAMPLES:
              tokenctl inspect token.txt
              tokenctl mint --kind driver --id vehicle-1 | tokenctl inspect
              curl -s http://127.0.0.1:8080/token/driver/vehicle-1 |
                tokenctl inspect -o json
            """
    )

    @Argument(help: "The file that contains the token; omit it or use - for standard input.", completion: .file())
    var file: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Text, or JSON.", valueName: "format"))
    var output = ReportFormat.text

    func run() throws {
        let inspection = try TokenInspection(of: try Input.token(file), now: .now)
        switch output {
        case .text: try Console.write(inspection.text)
        case .json: try Console.write(inspection.json)
        }
    }
}
