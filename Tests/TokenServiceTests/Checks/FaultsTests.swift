import Foundation
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenService

/// The faulty and doubtful configurations of Tests/EndToEnd/faults.txt, each with all that is said of it.
@Suite(.watchdog(seconds: 30))
struct FaultsTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The lines of a diff that changes the configuration.
        var edits: [String] = []
        /// Commands that change the folder first.
        var commands: [String] = []
        /// What the check says.
        var messages: [String] = []

        init(_ block: Substring) {
            let lines = block.split(separator: "\n")
            testDescription = String(lines[0].dropFirst(2))
            for line in lines.dropFirst() {
                switch line.first {
                case "$": commands.append(String(line.dropFirst(2)))
                case "+", "-", " ": edits.append(String(line))
                default: messages.append(String(line))
                }
            }
        }

        /// Whether the service starts.
        var isWarning: Bool { messages.allSatisfy { $0.contains(": warning: ") } }

        /// What is wrong.
        var problems: [String] {
            messages.filter { $0.hasPrefix("tokend.yaml:") && !$0.contains(": warning: ") }
        }

        /// Returns a configuration with the edits.
        func configuration(from lines: [String]) -> String {
            var (lines, place) = (lines, Int?.none)
            for edit in edits {
                let text = String(edit.dropFirst())
                if edit.hasPrefix("+") {
                    let index = place ?? lines.count
                    lines.insert(text, at: index)
                    place = index + 1
                } else if let index = lines[(place ?? 0)...].firstIndex(of: text) {
                    place = edit.hasPrefix("-") ? index : index + 1
                    if edit.hasPrefix("-") { lines.remove(at: index) }
                } else {
                    Issue.record("\(testDescription) changes a line that is not there: \(text)")
                }
            }
            return lines.map { $0 + "\n" }.joined()
        }
    }

    /// The configuration without a fault, and the faults.
    private static let file: (configuration: [String], faults: [Fault]) = {
        let path = URL(filePath: #filePath).appending(path: "../../../EndToEnd/faults.txt").standardized
        let text: String
        do {
            text = try String(contentsOf: path, encoding: .utf8)
        } catch {
            preconditionFailure("\(path.path()): \(error)")
        }
        let blocks = text.split(separator: "\n\n").dropFirst()
        let configuration = blocks.first?.split(separator: "\n").dropFirst().map(String.init) ?? []
        let faults = blocks.dropFirst().map(Fault.init)
        precondition(!faults.isEmpty, "\(path.path()) has no faults")
        return (configuration, faults)
    }()

    static let faults = file.faults

    @Test(arguments: faults)
    func `A fault is explained and prevents the start, and a warning does not`(fault: Fault) async throws {
        try await KeySite.with { site in
            for (index, kind) in ["driver", "consumer", "server"].enumerated() {
                try site.write("\(kind).json", try KeySite.account(kind, email: "\(kind)@fleet.example", key: index))
            }
            try site.write("api-keys", Array((TestAPIKey.line + "\n").utf8))
            try site.write("webhook-secret", Array((String(repeating: "0", count: 64) + "\n").utf8))
            let path = try site.write("tokend.yaml", fault.configuration(from: Self.file.configuration).utf8)
            for command in fault.commands {
                let run = try ProgramRun("/bin/sh", ["-c", "cd \(site.folder) && { \(command); }"])
                try #require(run.status == 0, "\(run.output)")
            }
            let report = try await ConfigurationCheck(path: path, environment: [:]).report()
            let messages = report.notes(isQuiet: false).map { $0.replacing("\(site.folder)/", with: "") }
            #expect(messages == fault.messages.map { $0.replacing("/FOLDER/", with: "") })
            #expect(report.findings.haveFailure == !fault.isWarning)
            // What listens is not opened here.
            guard !fault.problems.allSatisfy({ $0.contains("Cannot listen on") }) || fault.isWarning else { return }
            let problems = await startProblems(of: path).map { $0.replacing("\(site.folder)/", with: "") }
            #expect(problems.sorted() == fault.problems.map { $0.replacing("/FOLDER/", with: "") }.sorted())
        }
    }

    /// Returns all that the service says when it does not start.
    private func startProblems(of path: String) async -> [String] {
        do throws(OperatorError) {
            let mode = try await ProductionMode.checked(path: path, listeningAt: nil, environment: [:])
            let shared = SharedResources(logger: .silent, clock: .system)
            _ = try await LoadedService.load(mode.configuration, shared)
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }
}
