import ArgumentParser
import ServiceSupport

/// Which configuration: the command line goes before the environment, and that before the default.
package struct ConfigurationOptions: ParsableArguments {
    /// The default path of the configuration.
    package static let defaultPath = "/etc/tokend/tokend.yaml"

    @Argument(
        help: ArgumentHelp("The configuration file, as with --config.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The configuration file (YAML). (default: $TOKEND_CONFIG, or \(defaultPath))",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var config: String?

    package init() {}

    package func validate() throws {
        guard file == nil || config == nil else {
            throw ValidationError("The configuration is specified twice: with --config and as an argument. Remove one.")
        }
    }

    /// Returns the configuration's path.
    ///
    /// - Throws: ``CommandError`` when none is named and none is at the default path.
    package func path() throws(CommandError) -> String {
        if let path = file ?? config ?? Console.environment["TOKEND_CONFIG"] { return path }
        guard KeyFile.isPresent(Self.defaultPath) else {
            throw CommandError(
                .usage,
                "Missing configuration file. Use --config FILE or TOKEND_CONFIG; \(Self.defaultPath) does not exist."
            )
        }
        return Self.defaultPath
    }
}
