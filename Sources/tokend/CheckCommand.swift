import ArgumentParser
import CommandSupport
import TokenService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks a configuration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, the files that it names, and its ports.",
        discussion: """
            All problems are listed on standard error, each with its line. tokenctl doctor also checks the network.

            EXAMPLES:
              tokend check /etc/tokend/tokend.yaml
              sudo tokend check --as tokend
              tokend check --config tokend.yaml --output json

            \(ExitStatus.help())
            """
    )

    @OptionGroup
    var options: ConfigurationOptions

    @OptionGroup
    var user: ServiceUserOptions

    @OptionGroup
    var report: ReportOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try options.path(environment)
        try user.chosen(for: path, isQuiet: report.quiet)?.assume()
        let found = try await Console.progress("Checking \(path) …") {
            try await ConfigurationReport(path: path, environment: environment)
        }
        switch report.output {
        case .json: try Console.write(found.json)
        case .text:
            if !report.quiet, !found.warnings.isEmpty { Console.note(found.warningText) }
            if !found.problems.isEmpty { Console.note(found.problemText) }
            if !report.quiet, found.problems.isEmpty { try Console.write("Configuration is valid.\n") }
        }
        guard found.problems.isEmpty else { throw ExitStatus.failure.code }
    }
}
