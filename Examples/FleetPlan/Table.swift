import Foundation

/// The plan as a Markdown table, with a column for each size of a fleet.
package struct Table: CustomStringConvertible {
    private let columns: [Needs]

    /// Creates a table for fleets of these numbers of vehicles.
    package init(_ plan: Plan, vehicles: [Int]) {
        columns = vehicles.map(plan.needs)
    }

    package var description: String {
        let heads = columns.map { Self.number(Double($0.vehicles)) + " vehicles" }
        let head = ["| | " + heads.joined(separator: " | ") + " |", "|---|" + columns.map { _ in "--:|" }.joined()]
        return (head + rows.map(line)).joined(separator: "\n")
    }

    private typealias Row = (title: String, text: (Needs) -> String)

    private var rows: [Row] {
        [
            ("trips a day", { Self.number($0.trips) }),
            ("tokens a day", { Self.number($0.tokensPerDay) }),
            ("of these signed; the others reuse one", { Self.number(100 * $0.signedShare) + " %" }),
            ("tokens a second: mean", { Self.number($0.mean.tokens) }),
            ("at the peak (the busiest minute)", { Self.number($0.peak.tokens) }),
            ("after an outage of ten minutes (the busiest ten seconds)", { Self.number($0.afterOutage.tokens) }),
            ("apps without a token at the end of the outage", { Self.number($0.appsWithoutToken) }),
            ("cores at the mean", { Self.number($0.mean.cores) }),
            ("cores at the peak", { Self.number($0.peak.cores) }),
            ("cores to respond immediately after the outage", { Self.number($0.afterOutage.cores) }),
            ("replicas of two cores: half loaded at the peak, and one more", { Self.number(Double($0.replicas)) }),
            ("with these, seconds until all are served after the outage", { Self.number($0.recovery) }),
            ("open connections at the peak, without a proxy", { Self.number($0.connections) }),
            (
                "limits.machine for one backend: burst, perMinute",
                { Self.pair($0.machineBurst, $0.machinePerMinute) }
            ),
            ("limits.connections after the outage, without a proxy", { Self.number($0.connectionsAfterOutage) }),
            ("memory of all replicas, MiB", { Self.number($0.memory) }),
            ("webhook calls a second: peak, after the outage", { Self.pair($0.peak.riders, $0.afterOutage.riders) }),
            ("audit lines a day, GB", { Self.number($0.auditPerDay) }),
            ("kept for 400 days, GB", { Self.number($0.auditKept) }),
            (
                "bandwidth without TLS, Mbit/s: peak, after the outage",
                { Self.pair($0.peak.megabits, $0.afterOutage.megabits) }
            ),
        ]
    }

    private func line(_ row: Row) -> String {
        "| \(row.title) | " + columns.map(row.text).joined(separator: " | ") + " |"
    }

    private static func pair(_ one: Double, _ other: Double) -> String {
        "\(number(one)), \(number(other))"
    }

    /// Formats a number with two significant digits below 100, and in whole numbers with separators above.
    static func number(_ value: Double) -> String {
        if value == 0 { return "0" }
        if value < 99.5 {
            let digits = max(0, 1 - Int(log10(value).rounded(.down)))
            return value == value.rounded() ? String(Int(value)) : String(format: "%.\(digits)f", value)
        }
        var digits = String(Int(value.rounded()))
        for index in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
        }
        return digits
    }
}
