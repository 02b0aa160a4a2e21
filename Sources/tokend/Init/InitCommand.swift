import ArgumentParser
import FleetToken
import ServiceSupport
import SystemPackage
import TokenService

/// Writes a first configuration.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a configuration for production.",
        discussion: """
            Asks on a terminal what the options leave open; without a terminal, the options must say it. Never replaces a \
            file. What is left to do is printed, with the commands. --helm writes values for the chart, and --cloud-run a \
            configuration for Cloud Run.

            Without a file it writes the one that TOKEND_CONFIG names, or else the configuration of the service that the \
            Debian package installed, or else tokend.yaml in this folder. A file in /etc/tokend is for that service.

            EXAMPLES:
              sudo tokend init
              tokend init tokend.yaml --project my-project --caller firebase --ids claim
              tokend init values.yaml --helm --project my-project --caller firebase \\
                --ids claim
              tokend init --project my-project --kind driver --caller oidc \\
                --issuer https://id.example.com --audience tokend --ids claim \\
                --claim driver=vehicle
            """
    )

    @Argument(help: ArgumentHelp("The configuration file to write.", valueName: "file"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("The Google Cloud project of the fleet.", valueName: "project"))
    var project: String?

    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp("A kind of token to serve; repeatable. (default: consumer, driver)", valueName: "kind")
    )
    var kinds: [TokenKind] = []

    @Option(help: "Who signs: this service with keys, or Google with its IAM API. (default: keys)")
    var signing: ServicePlan.Signing?

    @Option(help: "Who calls: users of an app, or a backend.")
    var caller: ServicePlan.CallerMethod?

    @Option(help: ArgumentHelp("The issuer of the callers' tokens, with auth0 and oidc.", valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("The audience of the callers' tokens, with auth0 and oidc.", valueName: "text"))
    var audience: String?

    @Option(
        help: ArgumentHelp(
            "The authorities of the issuer's certificate, PEM. (default: the system's)",
            valueName: "file"
        ),
        completion: .file()
    )
    var caFile: String?

    @Option(help: "How IDs are granted: by a claim of the caller, by a webhook, or any.")
    var ids: ServicePlan.IDs?

    @Option(
        name: .customLong("claim"),
        help: ArgumentHelp("The claim with the IDs of a kind; repeatable.", valueName: "kind=claim")
    )
    var claims: [KindOption] = []

    @Option(help: ArgumentHelp("The webhook that decides, with --ids webhook.", valueName: "url"))
    var webhook: String?

    @Flag(help: "Write values for the Helm chart.")
    var helm = false

    @Flag(help: "Write a configuration for Cloud Run, where Google signs.")
    var cloudRun = false

    @Flag(help: "Skip checks that use the network.")
    var offline = false

    func validate() throws {
        guard !helm || !cloudRun else { throw ValidationError("Use either --helm or --cloud-run.") }
        guard Set(claims.map(\.kind)).count == claims.count else {
            throw ValidationError("--claim is repeated for a kind.")
        }
        guard let claim = claims.first(where: \.kind.isPrivileged) else { return }
        let kind = claim.kind.rawValue
        throw ValidationError("--claim \(kind)=\(claim.value): \(kind) tokens have no ID.")
    }

    func run() async throws {
        let (target, path) = destination
        guard !KeyFile.isPresent(path) else {
            throw CommandError(.failure, "\(path) exists, and is never replaced. Name another file.")
        }
        let plan = try plan(for: target)
        let files = try InitialFiles(of: plan, at: path)
        for written in files.written { Console.note("Wrote \(written).") }
        // Elsewhere its files have other paths, or another user checks them, as a step says.
        if target == .machine {
            let findings = await Console.progress("Checking the files and the network …") {
                await files.findings(environment: Console.environment, isOffline: offline)
            }
            if !findings.isEmpty { Console.note("\nNot ready yet:\n" + findings.table) }
        }
        try Console.write("\n" + plan.steps(path: path, hasFile: files.has))
    }

    /// Where the service is to run, and the file to write.
    private var destination: (target: ServicePlan.Target, path: String) {
        if helm { return (.helm, file ?? "values.yaml") }
        if cloudRun { return (.cloudRun, file ?? "tokend.yaml") }
        let folder = "/etc/tokend/"
        if let path = file ?? Console.environment["TOKEND_CONFIG"] {
            return (path.hasPrefix(folder) ? .package : .machine, path)
        }
        return KeyFile.isPresent(folder) ? (.package, ConfigurationOptions.defaultPath) : (.machine, "tokend.yaml")
    }

    /// Returns the plan that the options and the answers make.
    private func plan(for target: ServicePlan.Target) throws -> ServicePlan {
        let questions = try Questions(isTerminal: Console.isInputTerminal, missing: missingOptions)
        var plan = ServicePlan(project: try project ?? questions.text("Google Cloud project", default: nil))
        let chosen = kinds.isEmpty ? try questions.kinds(default: plan.kinds) : kinds
        plan.kinds = TokenKind.allCases.filter(chosen.contains)
        plan.target = target
        plan.signing =
            try signing ?? (cloudRun ? .google : questions.choice("Who signs the tokens?", default: .keys))
        plan.method = try caller ?? questions.choice("Who calls?", default: .firebase)
        if plan.method.issuerIsRequired {
            plan.issuer = try issuer ?? questions.text("URL of the issuer", default: nil)
            plan.audience = try audience ?? questions.text("Audience of its tokens", default: "tokend")
        }
        plan.authorities = caFile.map(Self.absolutePath)
        plan.ids = try ids ?? questions.choice("How are IDs granted?", default: plan.method.isApp ? .claim : .any)
        plan.claims = Dictionary(uniqueKeysWithValues: claims.map { ($0.kind, $0.value) })
        if plan.ids == .webhook {
            plan.webhook = try webhook ?? questions.text("URL of the webhook", default: nil)
        }
        if let problem = plan.problem ?? unusedOption(in: plan) { throw CommandError(.usage, problem) }
        return plan
    }

    /// Returns which option has no effect in a plan, and why; nil if all have one.
    private func unusedOption(in plan: ServicePlan) -> String? {
        let options = [("--issuer", issuer), ("--audience", audience), ("--ca-file", caFile)]
        if !plan.method.issuerIsRequired, let (name, _) = options.first(where: { $0.1 != nil }) {
            return "\(name) is only for --caller auth0 and oidc."
        }
        if plan.ids != .webhook, webhook != nil { return "--webhook is only for --ids webhook." }
        if plan.ids != .claim, !claims.isEmpty { return "--claim is only for --ids claim." }
        guard let claim = claims.first(where: { !plan.kinds.contains($0.kind) }) else { return nil }
        let kind = claim.kind.rawValue
        return "--claim \(kind)=\(claim.value): \(kind) is not served. Add --kind \(kind)."
    }

    /// Returns a path that does not depend on the folder of the configuration.
    private static func absolutePath(_ path: String) -> String {
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return FilePath(platformString: folder).pushing(FilePath(path)).string
    }

    /// The options that a script must have.
    private var missingOptions: [String] {
        let method = caller ?? .firebase
        return [
            (project == nil, "--project"), (caller == nil, "--caller"), (ids == nil, "--ids"),
            (method.issuerIsRequired && issuer == nil, "--issuer"),
            (method.issuerIsRequired && audience == nil, "--audience"),
            (ids == .webhook && webhook == nil, "--webhook"),
        ].filter(\.0).map(\.1)
    }
}

extension ServicePlan.Signing: ExpressibleByArgument {}
extension ServicePlan.CallerMethod: ExpressibleByArgument {}
extension ServicePlan.IDs: ExpressibleByArgument {}
