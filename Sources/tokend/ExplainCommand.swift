import ArgumentParser
import FleetToken
import TokenService

/// Explains which grant decides a request.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain which grant decides a request, and why the others do not.",
        discussion: """
            Only the configuration is read, not the files that it names. --expect compares a list of decisions with the \
            expected ones, as a test of the grants.

            EXAMPLES:
              tokend explain --caller backend --kind driver --id vehicle-1
              tokend explain --caller app --claims claims.json --kind driver --id vehicle-1
              tokend explain --config tokend.yaml --expect decisions.yaml

            A list of decisions is YAML; expect is allowed, denied or needsWebhook:
              - {caller: backend, kind: driver, id: vehicle-1, expect: allowed}
              - {caller: app, claims: {vehicle: v1}, kind: driver, id: v2, expect: denied}
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "Expected decisions: a YAML list of caller, claims, kind, id and expect. (default: one request)",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var expect: String?

    @Option(
        help: ArgumentHelp("The caller's name in the configuration. (required without --expect)", valueName: "name")
    )
    var caller: String?

    @Option(
        help: ArgumentHelp(
            #"A JSON file with the caller's claims, such as {"role": "driver"}; - for standard input. (default: none)"#,
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var claims: String?

    @Option(
        help: "The kind of token. (required without --expect)",
        completion: .list(TokenKind.allCases.map(\.rawValue))
    )
    var kind: TokenKind?

    @OptionGroup
    var resources: ResourceOptions

    @OptionGroup
    var report: ReportOptions

    func validate() throws {
        guard expect != nil || (caller != nil && kind != nil) else {
            throw ValidationError("Specify a request with --caller and --kind, or a file of decisions with --expect.")
        }
        let isRequest = caller != nil || kind != nil || claims != nil || !resources.isEmpty
        guard expect == nil || !isRequest else {
            throw ValidationError("--expect cannot be combined with the options of one request.")
        }
    }

    func run() throws {
        let configuration = try ConfigurationFile(path: options.path()).validated()
        if let expect {
            let decisions = try Report(decisions: expect, of: configuration)
            try report.show(decisions)
            if decisions.findings.haveFailure { throw ExitStatus.failure.code }
        } else if let caller, let kind {
            try explain(caller, kind: kind, configuration)
        }
    }

    private func explain(_ caller: String, kind: TokenKind, _ configuration: ProductionConfiguration) throws {
        let scope = try resources.scope(of: kind)
        let claims = try claims.map { try Input.read($0, atMost: 1 << 20) }
        let decision = try configuration.decision(caller: caller, claims: claims, scope: scope)
        switch report.output {
        case .json: try Console.write(decision.json)
        case .text: if !report.quiet { try Console.write(decision.text) }
        }
        if decision.outcome != .allowed { throw ExitStatus.failure.code }
    }
}
