import ArgumentParser
import ServiceConfiguration
import ServiceTools
import TokenMinting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks everything that a service needs, and reports how to fix problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that tokend needs, and report how to fix problems.",
        discussion: """
            Prints a line for the configuration, each of its files, keys, issuers and webhooks, and Redis, for a token of each \
            kind, for the keys that Google publishes, and for this machine's clock. Run it on the machine that runs the \
            service. The exit status is 1 if a line says FAIL. With --live, Fleet Engine itself is called with a token of \
            each kind, for a resource that does not exist, so that nothing changes there.

            EXAMPLES:
              tokenctl doctor --config /etc/tokend/tokend.yaml
              sudo tokenctl doctor --as tokend
              tokenctl doctor --config tokend.yaml --offline --output json
              tokenctl doctor --config tokend.yaml --live --yes

            \(ExitStatus.help())
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @OptionGroup
    var user: ServiceUserOptions

    @Flag(help: "Skip checks that use the network.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            """
            The https URL of a server to compare this machine's clock with, such as https://www.google.com. (default: the \
            servers that keys and issuers name)
            """,
            valueName: "url"
        )
    )
    var clockURL: String?

    @OptionGroup
    var live: LiveOptions

    @OptionGroup
    var report: ReportOptions

    func validate() throws {
        if live.live, offline { throw ValidationError("--live calls Fleet Engine. Leave out --offline.") }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try options.path(environment)
        if let clockURL, case .file = try KeySetLocation(clockURL) {
            throw CommandError(.usage, "--clock-url must be a URL, such as https://www.google.com.")
        }
        let fleetEngine = try live.check()
        try user.chosen(for: path, isQuiet: report.quiet)?.assume()
        let doctor = try Doctor(yaml: try OperatorFile.read(path), path: path, environment: environment)
        let findings = await Console.progress("Checking the files and the network …") {
            await doctor.findings(isOffline: offline, clockURL: clockURL, fleetEngine: fleetEngine)
        }
        try report.show(Report(findings))
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
