import ArgumentParser
import TokenService

/// Checks everything that a service needs, and reports how to fix problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that tokend needs, and report how to fix problems.",
        discussion: """
            Prints a line for the configuration, each of its files, keys, issuers and webhooks, for a token of each \
            kind, for the keys that Google publishes, and for this machine's clock. Run it on the machine that runs the \
            service. The exit status is 1 if a line says FAIL. With --live, Fleet Engine itself is called with a token of \
            each kind, for a resource that does not exist, so that nothing changes there.

            EXAMPLES:
              tokenctl doctor --config /etc/tokend/tokend.yaml
              sudo -u tokend tokenctl doctor
              tokenctl doctor --config tokend.yaml --output json
              tokenctl doctor --config tokend.yaml --live --yes

            \(ExitStatus.help)
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @OptionGroup
    var live: LiveOptions

    @OptionGroup
    var report: ReportOptions

    func run() async throws {
        let path = try options.path()
        let fleetEngine = try live.check()
        let findings = try await Console.progress("Checking the files and the network …") {
            try await Doctor(path: path, environment: Console.environment).findings(fleetEngine: fleetEngine)
        }
        try report.show(Report(findings))
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
