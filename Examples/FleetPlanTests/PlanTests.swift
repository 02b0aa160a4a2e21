import Foundation
import Testing

@testable import FleetPlan

struct PlanTests {
    private let costs = Costs(
        tokensPerCore: 1_000,
        tokensPerReplica: 1_500,
        memory: 50,
        requestBytes: 500,
        responseBytes: 1_500,
        auditBytes: 500
    )

    @Test("Peaks, means and backlogs of a demand")
    func demand() {
        var demand = Demand()
        demand.intervals[100].drivers = 600
        demand.intervals[101].drivers = 300
        #expect(demand.total(\.answered) == 900)
        #expect(demand.mean(\.answered) == 900.0 / 86_400)
        #expect(demand.peak(over: 1, \.answered) == 60)
        #expect(demand.peak(\.answered) == 15)
        // 600 arrive, 250 are answered; 300 more arrive, and so on: 350, 400, 150, 0.
        #expect(demand.backlog(from: 1_000, capacity: 25, \.answered) == 30)
        #expect(demand.backlog(from: 1_000, capacity: 60, \.answered) == 0)
        #expect(demand.backlog(from: 1_000, capacity: 0, \.answered) == .infinity)
    }

    @Test("Needs follow from demand and costs")
    func needs() {
        let plan = Plan(costs: costs, simulating: 200)
        let needs = plan.needs(of: 2_000_000)
        let tokens = plan.usual.total(\.answered) * 10_000
        #expect(needs.trips == 40_000_000)
        #expect(needs.tokensPerDay == tokens)
        #expect(abs(needs.mean.tokens - tokens / 86_400) < 1e-6)
        #expect(abs(needs.mean.cores - needs.mean.tokens / 1_000) < 1e-9)
        #expect(abs(needs.mean.megabits - needs.mean.tokens * 2_000 * 8 / 1e6) < 1e-9)
        #expect(needs.connections == needs.peak.tokens * 60)
        #expect(needs.memory == Double(needs.replicas) * 50)
        #expect(abs(needs.auditKept - tokens * 500 / 1e9 * 400) < 1e-6)
        // At the peak the replicas without the spare are at most half loaded.
        let load = needs.peak.tokens / (Double(needs.replicas - 1) * 1_500)
        #expect(load <= 0.5 && load > 0.4)
        #expect(needs.peak.tokens > needs.mean.tokens && needs.afterOutage.tokens > needs.peak.tokens)
        #expect(needs.recovery > 0 && needs.recovery < 600)
    }

    @Test("Costs are medians of the benchmark's rounds")
    func costsFromFiles() throws {
        let figures = ["cold tokend", "cold tokend on two cores"]
        let rounds = [3.0, 1, 2].map { value in Dictionary(uniqueKeysWithValues: figures.map { ($0, value) }) }
        var benchmark = ["rounds": rounds]
        benchmark["rounds"]?[0]["resident tokend"] = 40
        let run = Data(#"{"tokensPerCore": 1.5, "requestBytes": 5, "responseBytes": 6, "auditBytes": 7}"#.utf8)
        let costs = try Costs(benchmark: JSONEncoder().encode(benchmark), run: run)
        #expect((costs.tokensPerCore, costs.tokensPerReplica, costs.memory, costs.auditBytes) == (1.5, 1.5, 40, 7))
        benchmark["rounds"]?[0]["resident tokend"] = nil
        #expect(throws: DecodingError.self) { try Costs(benchmark: JSONEncoder().encode(benchmark), run: run) }
    }

    @Test(
        "Numbers have two significant digits, or whole thousands",
        arguments: [
            (0, "0"), (0.0123, "0.012"), (0.5, "0.50"), (2, "2"), (2.34, "2.3"), (23.4, "23"), (99.7, "100"),
            (1_234.5, "1,235"), (1_234_567, "1,234,567"),
        ]
    )
    func numbers(value: Double, text: String) {
        #expect(Table.number(value) == text)
    }

    @Test("The table has a column for each fleet, and the picture is well-formed XML")
    func output() throws {
        let plan = Plan(costs: costs, simulating: 50)
        let lines = "\(Table(plan, vehicles: [1_000, 2_000]))".split(separator: "\n")
        #expect(lines[0] == "| | 1,000 vehicles | 2,000 vehicles |")
        #expect(lines.count > 15 && lines.allSatisfy { $0.filter { $0 == "|" }.count == 4 })
        let picture = "\(Picture(plan, vehicles: 1_000))"
        #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>") && !picture.contains("nan"))
    }
}
