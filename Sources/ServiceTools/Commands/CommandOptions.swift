public import ArgumentParser
public import FleetToken
import ServiceSupport
import StrictCoding
import TokenIssuance
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

/// The options for a token's resources.
package struct ResourceOptions: ParsableArguments {
    @Option(help: "The ID of the trip, vehicle, delivery vehicle or task, or the tracking ID. (default: none)")
    var id: String?

    @Option(
        name: .customLong("task-id"),
        help: ArgumentHelp(
            "A task ID for trusted_delivery_driver, or for a delivery_server batch; repeatable.",
            valueName: "id"
        )
    )
    var taskIDs: [String] = []

    package init() {}

    /// Whether any is named.
    package var isEmpty: Bool { id == nil && taskIDs.isEmpty }

    /// Returns the scope of a kind with these resources.
    ///
    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    package func scope(of kind: TokenKind) throws(CommandError) -> TokenScope {
        do {
            return try RequestRules().scope(kind: kind, id: id, taskIDs: taskIDs)
        } catch {
            throw CommandError(.usage, error.message + (error.reason == .missingID ? " Use --id." : ""))
        }
    }
}

extension TokenKind: ExpressibleByArgument {
    /// Creates a kind from its name, ignoring case.
    public init?(argument: String) {
        self.init(name: argument)
    }
}

extension TokenLifetime {
    /// Reads a lifetime: seconds, or a number with `s`, `m` or `h`.
    ///
    /// - Throws: `ValidationError` that says what would do.
    package init(_ argument: String) throws {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        let unit = argument.last.flatMap { units[$0] }
        let number = unit == nil ? argument[...] : argument.dropLast()
        guard number.utf8.allSatisfy(\.isASCIIDigit), let count = Int64(number),
            case let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1), !isTooLarge,
            let lifetime = try? TokenLifetime(seconds: seconds)
        else {
            throw ValidationError(
                "The lifetime must be from 600 to 3540 seconds, such as 3540, 59m or 10m; a full hour is not allowed."
            )
        }
        self = lifetime
    }
}

extension NumericDate: ExpressibleByArgument {
    /// Creates a time from RFC 3339 or whole seconds since 1970.
    public init?(argument: String) {
        self.init(text: argument)
    }
}
