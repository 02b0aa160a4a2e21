import ArgumentParser
import Foundation
import ServiceTools
import TokenMinting

/// Checks everything that a service needs, and reports how to fix problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that tokend needs, and report how to fix problems.",
        discussion: """
            A line each for the configuration, its files, keys, issuers and webhooks, a token minted and verified for each \
            kind, what Google knows of the keys, and this machine's clock. Run it as the user and on the machine that the \
            service runs as and on. The exit status is 1 when a line says FAIL.

            EXAMPLES:
              tokenctl doctor --config /etc/tokend/tokend.yaml
              tokenctl doctor --config tokend.yaml --offline
            """
    )

    @Option(help: "The configuration file (YAML); or TOKEND_CONFIG.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Skip checks that use the network.")
    var offline = false

    @Option(help: "The https URL of a server to compare this machine's clock with.")
    var clockURL: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = config ?? environment["TOKEND_CONFIG"] else {
            throw CommandError(.failure, "Missing configuration file. Use --config FILE.")
        }
        if let clockURL, case .file = try KeySetLocation(clockURL) {
            throw CommandError(.failure, "--clock-url must be a URL, such as https://www.google.com.")
        }
        // One byte more than the maximum size detects oversized files.
        let yaml = try Input.read(path, atMost: (1 << 20) + 1)
        let findings = try await Doctor(yaml: yaml, path: path, environment: environment)
            .findings(isOffline: offline, clockURL: clockURL)
        try Console.write(findings.table)
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
