import ArgumentParser
import ServiceSupport
import TokenMinting

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

/// The output format of a report.
package enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// The options of every command that reports.
package struct ReportOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Text, or JSON.", valueName: "format"))
    package var output = ReportFormat.text

    @Flag(name: .shortAndLong, help: "Print problems only.")
    package var quiet = false

    package init() {}

    /// Writes a report in this form: results to standard output, problems of a file to standard error.
    package func show(_ report: Report) throws {
        switch output {
        case .json: try Console.write(report.json)
        case .text:
            let notes = report.notes(isQuiet: quiet)
            if !notes.isEmpty { Console.note(notes.joined(separator: "\n")) }
            let text = report.text(isQuiet: quiet)
            if !text.isEmpty { try Console.write(text) }
        }
    }
}
