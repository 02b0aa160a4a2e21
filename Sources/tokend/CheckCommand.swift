import ArgumentParser
import Logging
import ServiceConfiguration
import TokenMinting
import TokenService

/// Checks a configuration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, the files that it names, and its decisions."
    )

    @OptionGroup
    var options: ConfigurationOptions

    @Option(
        help: "Expected decisions: a YAML list of caller, claims, kind, id and expect.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var expect: String?

    func run() async throws {
        let mode = try options.read()
        let (problems, warnings) = await mode.check(
            logger: Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        for warning in warnings { StandardStreams.print("warning: \(warning.harmlessLine)\n") }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        if let expect {
            let failures = mode.unexpectedDecisions(yaml: try OperatorFile.read(expect))
            guard failures.isEmpty else { throw ConfigurationError(problems: failures.map { "\(expect): \($0)" }) }
        }
        StandardStreams.print("Configuration is valid.\n")
    }
}
