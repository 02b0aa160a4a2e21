import EngineCoding
import FleetToken

/// The remaining journey of a vehicle: what its device reported, with estimates for the rest.
struct Journey {
    /// The path to the first waypoint.
    let route: [Point]
    /// The distance to the first waypoint, in metres.
    let distance: Double
    /// When the vehicle is at the first waypoint.
    let eta: Timestamp
    /// The waypoints, with the route to each.
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
        let distance = segment.isEmpty ? nil : vehicle.integer("remainingDistanceMeters").map { Double($0) }
        self.distance = distance ?? Estimate.distance(here, first)
        let time = segment.isEmpty ? nil : vehicle.time("etaToFirstWaypoint")
        eta = time ?? now.adding(Estimate.duration(meters: self.distance))
        waypoints = Self.planned(stops, from: eta)
    }

    /// Returns waypoints with the route and the time to each but the first, whose route is the vehicle's.
    private static func planned(_ waypoints: [Message], from eta: Timestamp) -> [Message] {
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
}
