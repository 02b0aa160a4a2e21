import ArgumentParser
import ServiceTools

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
              tokenctl doctor --config tokend.yaml --output json
              tokenctl doctor --config tokend.yaml --live --yes
              sudo tokenctl doctor --bundle tokend-support.tar.gz

            \(ExitStatus.help())
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @OptionGroup
    var user: ServiceUserOptions

    @OptionGroup
    var live: LiveOptions

    @Option(
        help: ArgumentHelp("Write all that is needed for support to an archive, without secrets.", valueName: "file"),
        completion: .file(extensions: ["gz"])
    )
    var bundle: String?

    @Option(
        help: ArgumentHelp("With --bundle: the service's log. (default: the journal of tokend)", valueName: "file"),
        completion: .file()
    )
    var log: String?

    @OptionGroup
    var report: ReportOptions

    func validate() throws {
        guard log == nil || bundle != nil else { throw ValidationError("--log requires --bundle.") }
    }

    func run() async throws {
        let path = try options.path()
        let fleetEngine = try live.check()
        let bundle = try bundle.map { path throws(CommandError) in try SupportBundle(at: path, log: log) }
        let user = try user.chosen(for: path, isQuiet: report.quiet)
        // The archive is written as who runs this.
        if bundle == nil { try user?.assume() }
        let check = {
            try await Doctor(path: path, environment: Console.environment).findings(fleetEngine: fleetEngine)
        }
        let findings = try await Console.progress("Checking the files and the network …") {
            guard bundle != nil, let user else { return try await check() }
            return try await user.perform(check)
        }
        try report.show(Report(findings))
        try await bundle?.write(findings, of: path)
        if findings.haveFailure { throw ExitStatus.failure.code }
    }
}
