extension Trip {
    /// Creates a trip from a response, and from the trip that the request's versions described.
    ///
    /// Fleet Engine omits the routes and the traffic of versions that the client has. So a part that is absent from the
    /// response is taken from the known trip if its version is unchanged; otherwise it no longer exists.
    init(_ message: ProtoObject, known: Trip?) throws(FleetEngineError) {
        self.init()
        guard let name = try message.string("name") else { throw .unexpectedResponse("the trip has no name.") }
        self.name = name
        vehicleID = try message.string("vehicleId").flatMap { $0.isEmpty ? nil : $0 }
        tripType = try message.enumeration("tripType") ?? .unknown
        tripStatus = try message.enumeration("tripStatus") ?? .unknown
        pickupLocation = try TerminalLocation(message.message("pickupPoint"))
        pickupTime = try message.date("pickupTime")
        dropoffLocation = try TerminalLocation(message.message("dropoffPoint"))
        dropoffTime = try message.date("dropoffTime")
        intermediateDestinations = try message.messages("intermediateDestinations")?.locations
        intermediateDestinationIndex = try message.integer("intermediateDestinationIndex") ?? 0
        numberOfPassengers = try message.integer("numberOfPassengers") ?? 0
        guard !tripStatus.isTerminal else { return }
        lastLocation = try VehicleLocation(message.message("lastLocation"))
        activeRouteRemainingDistance = try message.integer("remainingDistanceMeters")
        etaToNextWaypoint = try message.date("etaToFirstWaypoint")
        versions = RouteVersions(
            route: try message.version("currentRouteSegmentVersion"),
            traffic: try message.version("currentRouteSegmentTrafficVersion"),
            remainingWaypoints: try message.version("remainingWaypointsRouteVersion")
        )
        try readRoutes(message, known: known)
    }

    private mutating func readRoutes(_ message: ProtoObject, known: Trip?) throws(FleetEngineError) {
        if let route = try message.points("route"), !route.isEmpty {
            activeRoute = route
        } else if let known, versions.route != nil, versions.route == known.versions.route {
            activeRoute = known.activeRoute
        }
        if let traffic = try TrafficData(message.message("currentRouteSegmentTraffic")) {
            activeRouteTraffic = traffic
        } else if let known, versions.traffic != nil, versions.traffic == known.versions.traffic {
            activeRouteTraffic = known.activeRouteTraffic
        }
        guard let waypoints = try message.messages("remainingWaypoints"), !waypoints.isEmpty else { return }
        let isRouteKnown =
            versions.remainingWaypoints != nil
            && versions.remainingWaypoints == known?.versions.remainingWaypoints
        let knownWaypoints = isRouteKnown ? known?.remainingWaypoints ?? [] : []
        remainingWaypoints = try waypoints.mapTyped { message throws(FleetEngineError) in
            var waypoint = try TripWaypoint(message)
            guard let same = knownWaypoints.first(where: { $0.isSameStop(as: waypoint) }) else { return waypoint }
            waypoint.path = waypoint.path ?? same.path
            waypoint.traffic = waypoint.traffic ?? same.traffic
            return waypoint
        }
    }

    /// The query of the request that fetches what has changed since this trip.
    var deltaQuery: [(name: String, value: String)] {
        [
            ("currentRouteSegmentVersion", versions.route),
            ("currentRouteSegmentTrafficVersion", versions.traffic),
            ("remainingWaypointsRouteVersion", versions.remainingWaypoints),
        ].compactMap { name, version in version.map { (name, $0) } }
    }
}

extension [ProtoObject] {
    /// The places that have a position; nil if there are none.
    fileprivate var locations: [TerminalLocation]? {
        get throws(FleetEngineError) {
            let places = try mapTyped { place throws(FleetEngineError) in try TerminalLocation(place) }
            let known = places.compactMap { $0 }
            return known.isEmpty ? nil : known
        }
    }
}
