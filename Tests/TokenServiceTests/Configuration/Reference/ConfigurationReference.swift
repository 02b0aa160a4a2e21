import Foundation
import Testing

/// The tables of docs/configuration.md.
struct ConfigurationReference {
    /// One setting.
    struct Row: CustomTestStringConvertible {
        let path: String
        let type: String
        let standard: String
        let example: String

        var testDescription: String { path }

        /// Whether its mapping is wrong without it.
        var isRequired: Bool { standard == "required" || isAlternative }

        /// Whether it stands for others of its mapping.
        var isAlternative: Bool { standard == "one of these" }

        /// The mapping that it stands in.
        var parent: String { path.split(separator: ".").dropLast().joined(separator: ".") }

        /// What its type has between backticks.
        var codes: [String] {
            type.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .compactMap { $0.isMultiple(of: 2) ? nil : String($1) }
        }

        /// Whether its type is a list of its values, and nothing else.
        var isChoice: Bool { type.replacing(/`[^`]*`/, with: "").allSatisfy { ", or".contains($0) } }

        /// Its values as messages have them.
        var choices: String { codes.joined(separator: ", ") }
    }

    let rows: [Row]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
        rows = text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let path = Self.code(cells[0]), let example = Self.code(cells[3]) else {
                return nil
            }
            return Row(path: path, type: cells[1], standard: cells[2], example: example)
        }
    }

    /// What stands between two backticks, if there is nothing else.
    static func code(_ cell: String) -> String? {
        guard cell.count > 2, cell.first == "`", cell.last == "`" else { return nil }
        return String(cell.dropFirst().dropLast())
    }
}
