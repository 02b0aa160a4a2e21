import Foundation
import TokenProviderTesting

/// A day of a fleet, without sockets: each app is a ``TokenProviderTesting/SimulatedClient`` on a simulated clock.
package struct FleetDay {
    private enum Role {
        case driver, rider
    }

    private let habits: Habits
    private let outage: Range<Double>?
    private var random = SeededGenerator(seed: 1)
    private var demand = Demand()

    /// Returns the load of a fleet on the service in a day.
    ///
    /// - Parameters:
    ///   - vehicles: The number of vehicles.
    ///   - habits: How the apps are used.
    ///   - outage: When the service doesn't respond, in seconds since midnight.
    /// - Returns: The demand.
    package static func demand(of vehicles: Int, habits: Habits = Habits(), outage: Range<Double>? = nil) -> Demand {
        var day = FleetDay(habits: habits, outage: outage)
        for _ in 0..<vehicles { day.addVehicle() }
        return day.demand
    }

    /// Returns what vehicles ask that all come online within one interval, and go offline after some seconds.
    package static func demand(
        of vehicles: Int,
        online seconds: Double,
        habits: Habits,
        outage: Range<Double>? = nil
    ) -> Demand {
        var day = FleetDay(habits: habits, outage: outage)
        for _ in 0..<vehicles {
            let start = day.uniform() * habits.interval
            day.addScope(.driver, starts: [start], end: start + seconds)
        }
        return day.demand
    }

    private init(habits: Habits, outage: Range<Double>?) {
        self.habits = habits
        self.outage = outage
    }

    private mutating func addVehicle() {
        let hour = habits.shiftStarts.randomElement(using: &random) ?? 0
        let start = hour * 3_600 + uniform() * 4 * 3_600
        let end = start + habits.shift
        let restarts = (1..<habits.driverStarts).map { _ in start + uniform() * habits.shift }
        addScope(.driver, starts: [start] + restarts, end: end)
        for _ in 0..<habits.trips { addTrip(in: start..<end) }
    }

    /// Adds a trip that begins during a shift.
    private mutating func addTrip(in shift: Range<Double>) {
        let start = shift.lowerBound + uniform() * (shift.upperBound - shift.lowerBound)
        // Waiting and riding: two times of the same distribution, none of which is likely to be very short.
        let length = min(5_400, -habits.trip / 2 * (log(1 - uniform()) + log(1 - uniform())))
        var starts = [start]
        if uniform() < habits.riderRestarts { starts.append(start + uniform() * length) }
        addScope(.rider, starts: starts, end: start + length)
    }

    /// Adds the apps that ask for the tokens of one vehicle or trip, one after the other.
    private mutating func addScope(_ role: Role, starts: [Double], end: Double) {
        let starts = starts.sorted()
        var signedAt = -Double.infinity
        for (start, next) in zip(starts, starts.dropFirst() + [end]) {
            addApp(role, during: start..<next, &signedAt)
        }
    }

    /// Adds an app that runs for some time and calls for its token at each interval.
    private mutating func addApp(_ role: Role, during run: Range<Double>, _ signedAt: inout Double) {
        var client = SimulatedClient()
        var call = 0
        while true {
            let now = run.lowerBound + Double(call) * habits.interval
            guard now < run.upperBound else { return }
            let isUp = outage.map { !$0.contains(now) } ?? true
            let isReused = now - signedAt < habits.reuse
            let lifetime = habits.lifetime - (isReused ? now - signedAt : 0)
            let outcome = client.requestToken(at: now, jitter: uniform(), lifetime: isUp ? lifetime : nil)
            demand.note(now) { interval in
                if !outcome.hasToken { interval.missing += 1 }
                guard outcome.isFetch else { return }
                guard isUp else { return interval.failed += 1 }
                if role == .driver { interval.drivers += 1 } else { interval.riders += 1 }
                if !isReused { interval.signed += 1 }
            }
            if outcome.isFetch, isUp, !isReused { signedAt = now }
            // The calls before the refresh is due get the token and request nothing.
            let due = ((client.refreshTime ?? now) - run.lowerBound) / habits.interval
            call = max(call + 1, Int(due.rounded(.up)))
        }
    }

    private mutating func uniform() -> Double {
        .random(in: 0..<1, using: &random)
    }
}
