import ArgumentParser
import FleetToken

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
