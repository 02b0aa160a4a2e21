/// How a fleet's drivers and riders use their apps: the assumptions of the plan.
///
/// Replace them by figures of your fleet. Times are in seconds.
package struct Habits: Hashable, Sendable {
    /// How long a vehicle is online each day.
    package var shift = 10 * 3_600.0
    /// The hours at which shifts begin; a driver begins within the four hours that follow.
    package var shiftStarts = [5.0, 13.0]
    /// How often a driver's app starts in a shift, at least once; each time without a token, because apps store none.
    package var driverStarts = 3
    /// The riders of each vehicle on a day, and the trips of each.
    package var riders = 10
    package var tripsPerRider = 2
    /// The mean time that a rider follows a trip, waiting and riding; none is longer than 90 minutes.
    package var trip = 20 * 60.0
    /// The share of trips during which the rider's app starts once more.
    package var riderRestarts = 0.5
    /// The time between two calls for the token: the Driver SDK calls before each of its reports.
    package var interval = 10.0
    /// The lifetime of a new token, as the service reports it.
    package var lifetime = 3_540.0
    /// How long the service reuses a token.
    package var reuse = 240.0

    /// The habits that docs/scale.md assumes.
    package init() {}

    /// The number of trips of one vehicle on a day.
    package var trips: Int { riders * tripsPerRider }
}
