import ArgumentParser
import TokenMinting
import TokenService

/// Checks a configuration, and what the service needs.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, the files that it names, and its ports; with --live also the network.",
        discussion: """
            All problems are listed on standard error, each with its line. Run it as the service's user, in the service's pod or \
            on its machine.

            --live also mints a token of each kind, compares keys with those that Google publishes, reads with each token a \
            resource that does not exist from Fleet Engine, fetches issuers' keys, sends each webhook a GET and compares the clock. \
            Nothing changes there. It prints a table, and what to do about each line that says FAIL.

            EXAMPLES:
              tokend check /etc/tokend/tokend.yaml
              sudo -u tokend tokend check
              tokend check --config tokend.yaml --output json
              tokend check --config tokend.yaml --live
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Flag(help: "Also ask Google, Fleet Engine, issuers and webhooks.")
    var live = false

    @Option(
        help: ArgumentHelp(
            "With --live: the Google Cloud project of the fleet. (default: that of each service account)",
            valueName: "project"
        )
    )
    var project: String?

    @OptionGroup
    var report: ReportOptions

    func validate() throws {
        guard live || project == nil else { throw ValidationError("--project requires --live.") }
        guard project.map(GoogleProject.isID) ?? true else {
            throw ValidationError("--project must be the ID of a Google Cloud project, such as my-project.")
        }
    }

    func run() async throws {
        let path = try options.path()
        let check = try ConfigurationCheck(path: path, environment: Console.environment)
        let found = await Console.progress("Checking \(path)\(live ? " and the network" : "") …") {
            if live { await check.liveReport(project: project) } else { await check.report() }
        }
        try report.show(found)
        if found.findings.haveFailure { throw ExitStatus.failure.code }
    }
}
