/// What a fleet needs at worst, by the plan in docs/scale.md, which a test compares with it.
package struct FleetDemand: Sendable, Hashable {
    /// Simultaneous requests: the drivers of all vehicles start their shift together.
    package let burst: Double
    /// Requests a minute, at the rate of the busiest ten seconds after an outage of ten minutes.
    package let perMinute: Double
    /// Open connections then, where no proxy shares them: those of the peak, and of the apps without a token.
    package let connections: Int

    /// Creates the demand of a number of vehicles, each with ten riders.
    package init(vehicles: Int) {
        burst = Double(vehicles)
        perMinute = (Double(vehicles) * 22.5 * 60 / 1000).rounded(.up)
        connections = Int((Double(vehicles) * (65.3 + 366.9) / 1000).rounded(.up))
    }
}
