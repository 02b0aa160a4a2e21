import EngineCoding
import FleetToken

extension Fleet {
    /// Returns a trip with what its vehicle has reported.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - now: The time.
    ///   - hasJourney: Whether route, waypoints, distance and times are in the response.
    /// - Returns: The trip as a response has it.
    func response(trip: Message, at now: Timestamp, hasJourney: Bool = true) -> Message {
        var trip = trip
        guard !trip.isOver, let vehicle = vehicles[vehicleName(of: trip)] else { return trip }
        trip["lastLocation"] = vehicle["lastLocation"]
        if vehicle.isSnappable { trip["lastLocationSnappable"] = .bool(true) }
        if hasJourney { trip.setJourney(of: vehicle, at: now) }
        return trip
    }
}

extension Message {
    /// Whether a vehicle's location is on the route that it reports.
    var isSnappable: Bool {
        has("currentRouteSegment") && message("lastLocation")?.flag("isRoadSnapped") == true
    }

    fileprivate mutating func setJourney(of vehicle: Message, at now: Timestamp) {
        self["remainingWaypointsVersion"] = vehicle["waypointsVersion"]
        self["remainingWaypointsRouteVersion"] = vehicle["waypointsVersion"]
        self["currentRouteSegmentVersion"] = vehicle["currentRouteSegmentVersion"]
        let journey = Journey(vehicle, at: now)
        let waypoints = journey?.waypoints ?? vehicle.messages("waypoints")
        guard let own = waypoints.lastIndex(where: { $0.text("tripId") == id }) else { return }
        self["remainingWaypoints"] = .list(Array(waypoints[...own]))
        guard let journey else { return }
        self["remainingDistanceMeters"] = .meters(journey.distance)
        self["etaToFirstWaypoint"] = .time(journey.eta)
        self["remainingTimeToFirstWaypoint"] = .duration(max(0, journey.eta.seconds(since: now)))
        let stops = waypoints.filter { $0.text("tripId") == id }
        if let pickup = stops.first(where: { $0.text("waypointType") == "PICKUP_WAYPOINT_TYPE" }) {
            self["pickupTime"] = .time(pickup.time("eta") ?? journey.eta)
        }
        if let dropoff = stops.last(where: { $0.text("waypointType") == "DROP_OFF_WAYPOINT_TYPE" }) {
            self["dropoffTime"] = .time(dropoff.time("eta") ?? journey.eta)
        }
        self["currentRouteSegmentEndPoint"] = vehicle["currentRouteSegmentEndPoint"] ?? waypoints[0].json
        self["route"] = .list(journey.route)
        self["currentRouteSegment"] = vehicle["currentRouteSegment"]
    }
}
