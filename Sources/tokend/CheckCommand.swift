import ArgumentParser
import TokenService

/// Checks a configuration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, the files that it names, and its ports.",
        discussion: """
            All problems are listed on standard error, each with its line. tokenctl doctor also checks the network.

            EXAMPLES:
              tokend check /etc/tokend/tokend.yaml
              sudo -u tokend tokend check
              tokend check --config tokend.yaml --output json

            \(ExitStatus.help)
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @OptionGroup
    var report: ReportOptions

    func run() async throws {
        let path = try options.path()
        let found = try await Console.progress("Checking \(path) …") {
            try await Report(configuration: path, environment: Console.environment)
        }
        try report.show(found)
        if found.findings.haveFailure { throw ExitStatus.failure.code }
    }
}
