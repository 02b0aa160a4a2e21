/// The load of a fleet of any size on the service, computed from the simulated days of a smaller one.
///
/// Apps are independent of each other, so demand is proportional to the number of vehicles.
package struct Plan {
    /// The vehicles that are simulated: with their riders, 110,000 clients.
    package static let simulated = 10_000
    /// How long the outage lasts, in seconds.
    static let outageLength = 600.0
    /// The share of a replica's capacity that the peak may take.
    static let utilization = 0.5
    /// How long a connection stays open after its request.
    static let idleSeconds = 60.0
    /// How long audit lines are kept, in days.
    static let keptDays = 400.0

    let habits: Habits
    let costs: Costs
    let usual: Demand
    let disturbed: Demand
    /// The outage ends with the busiest hour.
    let outage: Range<Double>
    private let simulated: Double

    /// Simulates a usual day and a day with an outage.
    package init(habits: Habits = Habits(), costs: Costs, simulating vehicles: Int = Self.simulated) {
        self.habits = habits
        self.costs = costs
        usual = FleetDay.demand(of: vehicles, habits: habits)
        outage = usual.busiestHourEnd - Self.outageLength..<usual.busiestHourEnd
        disturbed = FleetDay.demand(of: vehicles, habits: habits, outage: outage)
        simulated = Double(vehicles)
    }

    /// Returns what a fleet of a number of vehicles needs.
    package func needs(of vehicles: Int) -> Needs {
        Needs(plan: self, vehicles: vehicles, factor: Double(vehicles) / simulated)
    }
}
