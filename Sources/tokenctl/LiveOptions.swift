import ArgumentParser
import TokenService

/// The options of a check that calls Fleet Engine.
struct LiveOptions: ParsableArguments {
    @Flag(help: "Call Fleet Engine with a token of each kind, to see whether it accepts them.")
    var live = false

    @Flag(name: .shortAndLong, help: "With --live: do not ask before Fleet Engine is called.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "With --live: the URL of another Fleet Engine, such as an emulator. (default: \(FleetEngineCheck.google))",
            valueName: "url"
        )
    )
    var fleetEngine: String?

    @Option(
        help: ArgumentHelp(
            "With --live: the Google Cloud project. (default: that of each service account)",
            valueName: "project"
        )
    )
    var project: String?

    func validate() throws {
        guard !live, yes || fleetEngine != nil || project != nil else { return }
        throw ValidationError("--yes, --fleet-engine and --project require --live.")
    }

    /// Returns the check; nil without `--live`.
    ///
    /// - Throws: ``CommandError`` if an option is invalid, or a person does not agree.
    func check() throws(CommandError) -> FleetEngineCheck? {
        guard live else { return nil }
        let url = fleetEngine ?? FleetEngineCheck.google
        let check = try FleetEngineCheck(url: url, project: project)
        guard !yes else { return check }
        guard Console.isInputTerminal else {
            throw CommandError(.usage, "--live calls \(url). Confirm with --yes.")
        }
        Console.note(
            "Reads a resource that does not exist from \(url), with a token of each kind. Nothing changes there."
        )
        guard Console.agrees("Continue?") else { throw CommandError(.failure, "Fleet Engine was not called.") }
        return check
    }
}
