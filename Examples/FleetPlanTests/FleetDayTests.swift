import Testing

@testable import FleetPlan

struct FleetDayTests {
    private var habits: Habits {
        var habits = Habits()
        habits.lifetime = 3_600
        habits.reuse = 0
        return habits
    }

    @Test("A vehicle that is online for a minute fetches one token")
    func one() {
        let demand = FleetDay.demand(of: 100, online: 60, habits: habits)
        #expect(demand.total(\.answered) == 100)
        #expect(demand.total(\.signed) == 100)
        #expect(demand.total(\.missing) == 0)
    }

    @Test("A token is refreshed in the time that the provider documents")
    func refresh() {
        // A token of 3,600 s is usable for 3,300, and its refresh begins between 600 and 300 before that.
        #expect(FleetDay.demand(of: 100, online: 2_700, habits: habits).total(\.answered) == 100)
        #expect(FleetDay.demand(of: 100, online: 3_020, habits: habits).total(\.answered) == 200)
        let demand = FleetDay.demand(of: 1_000, online: 86_000 - 3_600, habits: habits)
        let refreshes = demand.total(\.answered) / 1_000
        #expect((82_400 / 3_010...82_400 / 2_700 + 1).contains(refreshes))
    }

    @Test("In an outage requests fail, tokens are used on, and each vehicle has one soon after it")
    func outage() {
        let demand = FleetDay.demand(of: 1_000, online: 7_200, habits: habits, outage: 2_600..<3_200)
        let end = 3_200 / Int(Demand.step)
        #expect(demand.intervals[260..<end].allSatisfy { $0.answered == 0 })
        #expect(demand.total(\.failed) > 1_000)
        // All were due, none was too old: five minutes of an outage go unnoticed, and these had more left.
        #expect(demand.total(\.missing) == 0)
        // The longest pause is 30 s, and a vehicle asks every ten.
        #expect(demand.intervals[end..<end + 4].reduce(0) { $0 + $1.answered } == 1_000)
        let long = FleetDay.demand(of: 1_000, online: 7_200, habits: habits, outage: 2_600..<3_700)
        #expect(long.total(\.missing) > 1_000)
    }

    @Test("An app that starts again within four minutes reuses the token, and gets its rest of life")
    func reuse() {
        var habits = Habits()
        habits.driverStarts = 1
        habits.riderRestarts = 1
        habits.trip = 100
        let demand = FleetDay.demand(of: 100, habits: habits)
        let restarted = demand.total(\.riders)
        #expect(restarted == Double(2 * 100 * habits.trips))
        #expect(demand.total(\.signed) < demand.total(\.answered) - 0.8 * restarted / 2)
        habits.reuse = 0
        #expect(FleetDay.demand(of: 100, habits: habits).total(\.signed) == demand.total(\.answered))
    }

    @Test("The same habits give the same day, in every run")
    func deterministic() {
        #expect(FleetDay.demand(of: 50) == FleetDay.demand(of: 50))
    }
}
