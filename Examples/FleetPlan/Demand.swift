/// What a fleet asks of the token service on one day, in intervals of ten seconds.
package struct Demand: Hashable, Sendable {
    /// What happens in one interval.
    package struct Interval: Hashable, Sendable {
        /// Requests for drivers' tokens and for riders' tokens that the service answered.
        package var drivers = 0.0
        package var riders = 0.0
        /// The answers that needed a signature; the others reused a token.
        package var signed = 0.0
        /// Requests during an outage.
        package var failed = 0.0
        /// Apps that asked for a token and got none, because of an outage.
        package var missing = 0.0

        /// The requests that the service answered.
        package var answered: Double { drivers + riders }
    }

    /// The length of an interval in seconds.
    package static let step = 10.0
    /// The number of intervals in a day.
    static let count = 8_640

    /// The intervals of the day, from midnight.
    package internal(set) var intervals = [Interval](repeating: Interval(), count: count)

    /// Returns a sum over the whole day.
    package func total(_ value: (Interval) -> Double) -> Double {
        intervals.reduce(0) { $0 + value($1) }
    }

    /// Returns the mean for each second of the day.
    package func mean(_ value: (Interval) -> Double) -> Double {
        total(value) / (Double(Self.count) * Self.step)
    }

    /// Returns the most for each second in any window of a number of intervals: a minute by default.
    package func peak(over window: Int = 6, _ value: (Interval) -> Double) -> Double {
        let sums = intervals.indices.dropLast(window - 1).map { sum(from: $0, over: window, value) }
        return (sums.max() ?? 0) / seconds(window)
    }

    /// Returns when the busiest hour ends, in seconds since midnight.
    package var busiestHourEnd: Double {
        let starts = stride(from: 0, through: Self.count - 360, by: 60)
        let start = starts.max { sum(from: $0, over: 360, \.answered) < sum(from: $1, over: 360, \.answered) }
        return seconds((start ?? 0) + 360)
    }

    /// Returns how long a service of a capacity, in each second, has requests waiting from a time of the day on.
    package func backlog(from start: Double, capacity: Double, _ value: (Interval) -> Double) -> Double {
        var waiting = 0.0
        for (number, interval) in intervals[Int(start / Self.step)...].enumerated() {
            waiting = max(0, waiting + value(interval) - capacity * Self.step)
            if waiting == 0 { return Double(number) * Self.step }
        }
        return .infinity
    }

    private func sum(from index: Int, over window: Int, _ value: (Interval) -> Double) -> Double {
        intervals[index..<index + window].reduce(0) { $0 + value($1) }
    }

    private func seconds(_ intervals: Int) -> Double { Double(intervals) * Self.step }

    /// Notes an event at a time in seconds; the time after midnight belongs to the next day, which is alike.
    mutating func note(_ time: Double, _ change: (inout Interval) -> Void) {
        change(&intervals[Int(time / Self.step) % Self.count])
    }
}
