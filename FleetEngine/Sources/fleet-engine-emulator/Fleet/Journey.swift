import EngineCoding
import FleetToken

/// The remaining journey of a vehicle: what its device reported, with estimates for the rest.
struct Journey {
    /// The path to the first waypoint.
    let route: [Point]
    /// The traffic on it; nil if the device has not reported any.
    let traffic: Message?
    /// The distance to the first waypoint, in metres.
    let distance: Double
    /// When the vehicle is at the first waypoint.
    let eta: Timestamp
    /// The waypoints, with the way to each.
    let waypoints: [Message]

    /// Creates the journey of a vehicle; nil without waypoints or without a location.
    init?(_ vehicle: Message, at now: Timestamp) {
        let stops = vehicle.messages("waypoints")
        guard let first = stops.first?.message("location")?.point("point"),
            let here = vehicle.message("lastLocation")?.point("location")
        else { return nil }
        // What was reported is about the segment.
        let segment = vehicle.text("currentRouteSegment")
        let reported = segment.isEmpty ? [] : Polyline.decode(segment) ?? []
        route = reported.isEmpty ? [here, first] : reported.map(Point.init)
        traffic = vehicle.message("currentRouteSegmentTraffic").map { [route] in Self.traffic($0, along: route) }
        let distance = segment.isEmpty ? nil : vehicle.integer("remainingDistanceMeters").map { Double($0) }
        self.distance = distance ?? Estimate.distance(here, first)
        let time = segment.isEmpty ? nil : vehicle.time("etaToFirstWaypoint")
        eta = time ?? now.adding(Estimate.duration(meters: self.distance))
        waypoints = Self.ways(stops, from: eta)
    }

    /// Returns waypoints with the way and the time to each but the first, whose are those of the route.
    private static func ways(_ waypoints: [Message], from eta: Timestamp) -> [Message] {
        var time = eta
        var last: Point?
        return waypoints.map { waypoint in
            var waypoint = waypoint
            let point = waypoint.message("location")?.point("point")
            if let last, let point {
                let meters = Estimate.distance(last, point)
                let duration = Estimate.duration(meters: meters)
                time = time.adding(duration)
                waypoint["pathToWaypoint"] = .list([last, point])
                waypoint["distanceMeters"] = .meters(meters)
                waypoint["duration"] = .duration(duration)
                waypoint["eta"] = .time(time)
            }
            last = point
            return waypoint
        }
    }

    /// Returns the traffic of a path from stretches in metres, as a device reports it.
    private static func traffic(_ data: Message, along path: [Point]) -> Message {
        var distances = [0.0]
        for (a, b) in zip(path, path.dropFirst()) { distances.append((distances.last ?? 0) + Estimate.distance(a, b)) }
        let last = path.count - 1
        let stretches = data.message("trafficRendering")?.messages("roadStretch") ?? []
        let intervals = stretches.compactMap { stretch -> Message? in
            let from = stretch.number("offsetMeters") ?? 0
            let to = from + (stretch.number("lengthMeters") ?? 0)
            let start = distances.lastIndex { $0 <= from } ?? 0
            let end = distances.firstIndex { $0 >= to } ?? last
            guard start < end else { return nil }
            return [
                "startPolylinePointIndex": start == 0 ? nil : .integer(Int64(start)),
                "endPolylinePointIndex": .integer(Int64(end)),
                "speed": .string(stretch.text("style") == "TRAFFIC_JAM" ? "TRAFFIC_JAM" : "SLOW"),
            ]
        }
        return ["speedReadingInterval": .list(intervals)]
    }
}
