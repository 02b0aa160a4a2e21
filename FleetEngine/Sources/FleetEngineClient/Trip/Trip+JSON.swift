extension Trip {
    /// Creates a trip from a response.
    init(_ message: ProtoObject) throws(FleetEngineError) {
        guard let name = try message.string("name") else { throw .unexpectedResponse("the trip has no name.") }
        self.init(name: name)
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
        activeRoute = try message.points("route").flatMap { $0.isEmpty ? nil : $0 }
        let waypoints = try message.messages("remainingWaypoints") ?? []
        guard !waypoints.isEmpty else { return }
        remainingWaypoints = try waypoints.mapTyped { waypoint throws(FleetEngineError) in try TripWaypoint(waypoint) }
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
