import ArgumentParser
import Foundation
import ServiceTools
import TokenMinting

/// Looks at all that a service needs, and says what to mend.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at all that tokend needs, and say what to mend.",
        discussion: """
            A line each for the configuration, its files, keys, issuers and webhooks, a token minted and verified for each \
            kind, what Google knows of the keys, and this machine's clock. Run it as the user and on the machine that the \
            service runs as and on. The exit status is 1 when a line says FAIL.

            EXAMPLES:
              tokenctl doctor --config /etc/tokend/tokend.yaml
              tokenctl doctor --config tokend.yaml --offline
            """
    )

    @Option(help: "The configuration, a YAML file; or TOKEND_CONFIG.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Leave the network alone.")
    var offline = false

    @Option(help: "A server whose clock this machine's is compared with: an https address.")
    var clockURL: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = config ?? environment["TOKEND_CONFIG"] else {
            throw CommandError(.failure, "Name the configuration: --config FILE")
        }
        if let clockURL, case .file = try KeySetLocation(clockURL) {
            throw CommandError(.failure, "The clock's address is a URL, such as https://www.google.com.")
        }
        // A byte more than a configuration's most tells one that is too large.
        let yaml = try Input.read(path, atMost: (1 << 20) + 1)
        let findings = try await Doctor(yaml: yaml, path: path, environment: environment)
            .findings(isOffline: offline, clockURL: clockURL)
        try Console.write(findings.table)
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
