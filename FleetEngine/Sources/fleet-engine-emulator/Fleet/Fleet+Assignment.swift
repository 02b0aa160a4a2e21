import EngineCoding
import FleetToken

extension Fleet {
    /// Adds the trip's remaining waypoints to its vehicle, and removes those already passed.
    ///
    /// - Parameters:
    ///   - trip: The trip, which names the vehicle.
    ///   - now: The time.
    /// - Throws: ``EngineError`` if there is no such vehicle.
    mutating func assign(_ trip: Message, at now: Timestamp) throws(EngineError) {
        let name = vehicleName(of: trip)
        guard vehicles[name] != nil else { throw .notFound(name) }
        vehicles[name]?.setWaypoints(trip.waypointsAhead, of: trip, at: now)
    }

    /// Removes a trip from its vehicle.
    mutating func unassign(_ trip: Message, at now: Timestamp) {
        vehicles[vehicleName(of: trip)]?.setWaypoints(nil, of: trip, at: now)
    }

    /// Returns the name of the vehicle that a trip names.
    func vehicleName(of trip: Message) -> String {
        Collection.vehicles.name(trip.text("vehicleId"), of: trip.name.providerID)
    }
}

extension Message {
    /// Replaces the waypoints of one trip of a vehicle, in their place among those of other trips.
    ///
    /// Without new waypoints, the vehicle no longer has the trip.
    fileprivate mutating func setWaypoints(_ new: [Message]?, of trip: Message, at now: Timestamp) {
        var trips = texts("currentTrips")
        if new == nil || trip.isOver {
            trips.removeAll { $0.hasSameBytes(as: trip.id) }
        } else if !trips.contains(where: trip.id.hasSameBytes) {
            trips.append(trip.id)
        }
        self["currentTrips"] = .list(trips)
        var waypoints = messages("waypoints")
        let place = waypoints.firstIndex { $0.text("tripId").hasSameBytes(as: trip.id) }
        waypoints.removeAll { $0.text("tripId").hasSameBytes(as: trip.id) }
        waypoints.insert(contentsOf: new ?? [], at: place ?? waypoints.count)
        setWaypoints(waypoints, at: now)
    }

    /// Replaces the waypoints of a vehicle.
    ///
    /// A route that was reported ends with another first waypoint.
    private mutating func setWaypoints(_ waypoints: [Message], at now: Timestamp) {
        let old = messages("waypoints")
        guard waypoints != old else { return }
        self["waypoints"] = .list(waypoints)
        self["waypointsVersion"] = .time(now.version(after: time("waypointsVersion")))
        if let first = waypoints.first, let former = old.first, first.isSameStop(as: former) { return }
        for field in [
            "currentRouteSegment", "currentRouteSegmentEndPoint", "remainingDistanceMeters", "etaToFirstWaypoint",
        ] { self[field] = nil }
        changeRoute(at: now)
    }

    /// Gives the route of a vehicle a new version.
    mutating func changeRoute(at now: Timestamp) {
        self["currentRouteSegmentVersion"] = .time(now.version(after: time("currentRouteSegmentVersion")))
    }

    /// Whether a trip is over.
    var isOver: Bool { ["COMPLETE", "CANCELED"].contains(text("tripStatus")) }

    /// The remaining waypoints of a trip, according to its status.
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
    private func isSameStop(as other: Message) -> Bool {
        text("tripId").hasSameBytes(as: other.text("tripId")) && text("waypointType") == other.text("waypointType")
            && message("location")?.point("point") == other.message("location")?.point("point")
    }
}
