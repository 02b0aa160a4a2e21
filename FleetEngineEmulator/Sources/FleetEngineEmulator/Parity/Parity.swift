/// What the emulator does as Fleet Engine does, and how that is known.
enum Parity {
    /// A line of the table.
    struct Entry: Sendable {
        let name: String
        let summary: String
        let basis: Basis
        let source: String

        /// Creates a line.
        init(_ name: String, _ summary: String, _ basis: Basis, _ source: String) {
            self.name = name
            self.summary = summary
            self.basis = basis
            self.source = source
        }
    }

    /// The parts of the table.
    static let sections: [(title: String, entries: [Entry])] = [
        ("Methods", Method.allCases.map(\.parity)),
        ("Rules that refuse", Rule.allCases.map(\.parity)),
        ("Answers", answers),
        ("Trips", trips),
        ("Vehicles", vehicles),
        ("SearchVehicles", vehicleSearch),
        ("Delivery vehicles", deliveries),
        ("Tasks", tasks),
        ("Chosen where the documentation is open", chosen),
        ("Not done", notDone),
    ]

    /// Creates lines that the docstrings of Google's Python packages state, of the message that a name begins with.
    static func documented(_ lines: KeyValuePairs<String, String>) -> [Entry] {
        lines.map { name, summary in
            let message = name.prefix { $0 != "." && $0 != " " }
            return Entry(name, summary, .documented, "docstring of `\(message)`")
        }
    }

    /// The table as JSON.
    static let json: JSON = .object(
        sections.map { title, entries in
            JSON.Member(
                name: title,
                value: .array(
                    entries.map { entry in
                        [
                            "name": .string(entry.name), "summary": .string(entry.summary),
                            "basis": .string(entry.basis.rawValue), "source": .string(entry.source),
                        ]
                    }
                )
            )
        }
    )

    /// The table as Markdown.
    static var markdown: String {
        let entries = sections.flatMap(\.entries)
        let count = { (basis: Basis) in entries.count { $0.basis == basis } }
        var text = """
            # What the Fleet Engine emulator does as Fleet Engine does

            Printed by `fleet-engine-emulator --parity`. \(count(.documented)) lines are documented by Google, \
            \(count(.recorded)) are shown by a public recording of Fleet Engine, and \(count(.inferred)) are inferred: \
            they follow from the documentation, or something had to be chosen. \(count(.notDone)) are documented and not done.

            Docstrings are those of `google-maps-fleetengine` and `google-maps-fleetengine-delivery` 0.6.1. \
            `FleetEngineEmulator/Tests/test_documented.py` has checks with these packages for each line of the sections \
            from "Trips" on, by its name.

            """
        for (title, entries) in sections {
            text += "\n## \(title)\n\n| | | basis | source |\n|---|---|---|---|\n"
            for entry in entries {
                text += "| `\(entry.name)` | \(entry.summary) | \(entry.basis.rawValue) | \(entry.source) |\n"
            }
        }
        return text
    }
}
