import EngineCoding
import FleetToken

extension Fleet {
    /// Returns a trip with what its vehicle's reports tell about it.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - request: The request, with the versions of routes that the caller has: they are omitted.
    ///   - hasJourney: Whether route, waypoints, distance and times are in the response.
    /// - Returns: The trip as a response has it.
    func response(_ trip: Message, to request: EngineRequest, hasJourney: Bool = true) -> Message {
        var trip = trip
        let name = Collection.vehicles.name(trip.text("vehicleId"), of: request.provider)
        guard !trip.isOver, let vehicle = vehicles[name] else { return trip }
        trip["lastLocation"] = vehicle["lastLocation"]
        if vehicle.isSnappable { trip["lastLocationSnappable"] = .bool(true) }
        if hasJourney { trip.setJourney(of: vehicle, request) }
        return trip
    }
}

extension Message {
    /// Whether a vehicle's location is on the route that it reports.
    var isSnappable: Bool {
        has("currentRouteSegment") && message("lastLocation")?.flag("isRoadSnapped") == true
    }

    fileprivate mutating func setJourney(of vehicle: Message, _ request: EngineRequest) {
        self["remainingWaypointsVersion"] = vehicle["waypointsVersion"]
        self["remainingWaypointsRouteVersion"] = vehicle["waypointsVersion"]
        self["currentRouteSegmentVersion"] = vehicle["currentRouteSegmentVersion"]
        let journey = Journey(vehicle, at: request.now)
        let waypoints = journey?.waypoints ?? vehicle.messages("waypoints")
        guard let own = waypoints.lastIndex(where: { $0.text("tripId") == id }) else { return }
        let knownPaths = request.parameters.time("remainingWaypointsRouteVersion")
        let arePathsKnown = vehicle.time("waypointsVersion")?.isKnown(by: knownPaths) ?? false
        self["remainingWaypoints"] = .list(
            waypoints[...own].map { waypoint in
                var waypoint = waypoint
                if arePathsKnown { waypoint["pathToWaypoint"] = nil }
                return waypoint
            }
        )
        guard let journey else { return }
        self["remainingDistanceMeters"] = .meters(journey.distance)
        self["etaToFirstWaypoint"] = .time(journey.eta)
        self["remainingTimeToFirstWaypoint"] = .duration(max(0, journey.eta.seconds(since: request.now)))
        let stops = waypoints.filter { $0.text("tripId") == id }
        if let pickup = stops.first(where: { $0.text("waypointType") == "PICKUP_WAYPOINT_TYPE" }) {
            self["pickupTime"] = .time(pickup.time("eta") ?? journey.eta)
        }
        if let dropoff = stops.last(where: { $0.text("waypointType") == "DROP_OFF_WAYPOINT_TYPE" }) {
            self["dropoffTime"] = .time(dropoff.time("eta") ?? journey.eta)
        }
        self["currentRouteSegmentEndPoint"] = vehicle["currentRouteSegmentEndPoint"] ?? waypoints[0].json
        self["currentRouteSegmentTraffic"] = journey.traffic?.json
        let knownRoute = request.parameters.time("currentRouteSegmentVersion")
        guard vehicle.time("currentRouteSegmentVersion")?.isKnown(by: knownRoute) != true else { return }
        self["route"] = .list(journey.route)
        self["currentRouteSegment"] = vehicle["currentRouteSegment"]
    }
}
