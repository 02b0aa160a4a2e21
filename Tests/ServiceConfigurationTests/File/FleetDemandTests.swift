import Foundation
import Testing

@testable import ServiceConfiguration

/// What `tokend check` compares limits with is what docs/scale.md says.
struct FleetDemandTests {
    /// The cells of a row of the plan, for 1,000, 100,000 and 1,000,000 vehicles.
    private func row(_ title: String) throws -> [Substring] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/scale.md"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| \(title) |") })
        let cells = line.split(separator: "|").dropFirst().map { $0 }
        try #require(cells.count == 3)
        return cells
    }

    private func number(_ text: some StringProtocol) -> Double? {
        Double(text.replacingOccurrences(of: ",", with: "").trimmingCharacters(in: .whitespaces))
    }

    @Test("The demand of 1,000, 100,000 and 1,000,000 vehicles is that of the plan")
    func theDemandIsThatOfThePlan() throws {
        let machine = try row("limits.machine for one backend: burst, perMinute")
        let connections = try row("limits.connections after the outage, without a proxy")
        for (column, vehicles) in [1000, 100_000, 1_000_000].enumerated() {
            let demand = FleetDemand(vehicles: vehicles)
            #expect(machine[column].split(separator: ", ").map(number) == [demand.burst, demand.perMinute])
            #expect(number(connections[column]) == Double(demand.connections))
        }
    }

    @Test("The defaults fit 1,000 vehicles")
    func theDefaultsFit() {
        let (demand, limits) = (FleetDemand(vehicles: 1000), LimitsConfiguration())
        #expect(limits.machine.burst >= demand.burst && limits.machine.perMinute >= demand.perMinute)
        #expect(limits.connections / 2 >= demand.connections)
    }
}
