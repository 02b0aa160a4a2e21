import EngineCoding
import FleetToken

extension Fleet {
    /// Gives a vehicle the waypoints of a trip that are still before it, and takes those that are not.
    ///
    /// - Parameters:
    ///   - trip: The trip, which names the vehicle.
    ///   - request: The request for it.
    /// - Throws: ``EngineError`` if there is no such vehicle.
    mutating func assign(_ trip: Message, _ request: EngineRequest) throws(EngineError) {
        let name = Collection.vehicles.name(trip.text("vehicleId"), of: request.provider)
        guard var vehicle = vehicles[name] else { throw .notFound(name) }
        let ahead = trip.waypointsAhead
        var waypoints = vehicle.messages("waypoints").filter { waypoint in
            waypoint.text("tripId") != trip.id || ahead.contains { $0.isSameStop(as: waypoint) }
        }
        waypoints += ahead.filter { waypoint in !waypoints.contains { $0.isSameStop(as: waypoint) } }
        var current = vehicle.texts("currentTrips").filter { $0 != trip.id || !trip.isOver }
        if !trip.isOver, !current.contains(trip.id) { current.append(trip.id) }
        vehicle["currentTrips"] = .list(current)
        vehicle.setWaypoints(waypoints, at: request.now)
        vehicles[name] = vehicle
    }

    /// Takes a trip from its vehicle.
    mutating func unassign(_ trip: Message, _ request: EngineRequest) {
        let name = Collection.vehicles.name(trip.text("vehicleId"), of: request.provider)
        guard var vehicle = vehicles[name] else { return }
        vehicle["currentTrips"] = .list(vehicle.texts("currentTrips").filter { $0 != trip.id })
        vehicle.setWaypoints(vehicle.messages("waypoints").filter { $0.text("tripId") != trip.id }, at: request.now)
        vehicles[name] = vehicle
    }
}

extension Message {
    /// Replaces the waypoints of a vehicle.
    ///
    /// A route that was reported ends with another first waypoint.
    fileprivate mutating func setWaypoints(_ waypoints: [Message], at now: Timestamp) {
        let old = messages("waypoints")
        guard waypoints != old else { return }
        self["waypoints"] = .list(waypoints)
        self["waypointsVersion"] = .time(now.version(after: time("waypointsVersion")))
        if let first = waypoints.first, let former = old.first, first.isSameStop(as: former) { return }
        for field in [
            "currentRouteSegment", "currentRouteSegmentEndPoint", "remainingDistanceMeters", "etaToFirstWaypoint",
            "currentRouteSegmentTraffic",
        ] { self[field] = nil }
        changeRoute(at: now)
    }

    /// Gives the route of a vehicle a new version.
    mutating func changeRoute(at now: Timestamp) {
        self["currentRouteSegmentVersion"] = .time(now.version(after: time("currentRouteSegmentVersion")))
    }

    /// Whether a trip is over.
    var isOver: Bool { ["COMPLETE", "CANCELED"].contains(text("tripStatus")) }

    /// The waypoints of a trip that are still before the vehicle, according to the status.
    ///
    /// A pickup point stays while the vehicle waits there, and goes when it leaves.
    fileprivate var waypointsAhead: [Message] {
        let between = messages("intermediateDestinations").map {
            waypoint($0.json, "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE")
        }
        var waypoints: [Message] = []
        switch text("tripStatus") {
        case "COMPLETE", "CANCELED": return []
        case "ENROUTE_TO_DROPOFF": break
        case "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_INTERMEDIATE_DESTINATION":
            waypoints += between.dropFirst(Int(max(0, integer("intermediateDestinationIndex") ?? 0)))
        default: waypoints += [waypoint(self["pickupPoint"], "PICKUP_WAYPOINT_TYPE")] + between
        }
        if has("dropoffPoint") { waypoints.append(waypoint(self["dropoffPoint"], "DROP_OFF_WAYPOINT_TYPE")) }
        return waypoints
    }

    private func waypoint(_ location: JSONValue?, _ type: String) -> Message {
        ["location": location, "tripId": .string(id), "waypointType": .string(type)]
    }

    /// Returns whether a waypoint is the same stop of the same trip as another.
    fileprivate func isSameStop(as other: Message) -> Bool {
        text("tripId").hasSameBytes(as: other.text("tripId")) && text("waypointType") == other.text("waypointType")
            && message("location")?.point("point") == other.message("location")?.point("point")
    }
}
