/// The traffic on a route.
public struct TrafficData: Hashable, Sendable {
    /// A stretch of a route with one speed.
    public struct SpeedInterval: Hashable, Sendable {
        /// The index of the stretch's first point in the route.
        public var startIndex: Int
        /// The index of the stretch's last point in the route.
        public var endIndex: Int
        /// The speed of the traffic.
        public var speed: SpeedType

        /// Creates a stretch.
        public init(startIndex: Int, endIndex: Int, speed: SpeedType) {
            self.startIndex = startIndex
            self.endIndex = endIndex
            self.speed = speed
        }
    }

    /// The stretches with known traffic.
    public var intervals: [SpeedInterval]

    /// Creates traffic data.
    public init(intervals: [SpeedInterval]) {
        self.intervals = intervals
    }

    /// Creates traffic data; nil if there is none.
    init?(_ message: ProtoObject?) throws(FleetEngineError) {
        guard let intervals = try message?.messages("speedReadingInterval"), !intervals.isEmpty else { return nil }
        self.intervals = try intervals.mapTyped { interval throws(FleetEngineError) in
            SpeedInterval(
                startIndex: Int(try interval.integer("startPolylinePointIndex") ?? 0),
                endIndex: Int(try interval.integer("endPolylinePointIndex") ?? 0),
                speed: try interval.enumeration("speed") ?? .noData
            )
        }
    }
}

/// The speed of the traffic; the raw values are those of Fleet Engine and of Google's SDK.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SpeedType: Int, Sendable, CaseIterable {
    /// No data.
    case noData = 0
    /// Normal speed.
    case normal = 1
    /// Slow traffic.
    case slow = 2
    /// A traffic jam.
    case trafficJam = 3
}

extension SpeedType: ProtoEnumeration {
    static let protoNames = ["SPEED_UNSPECIFIED", "NORMAL", "SLOW", "TRAFFIC_JAM"]
}
