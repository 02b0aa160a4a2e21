import ArgumentParser

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
}
