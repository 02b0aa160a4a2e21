import EngineCoding
import FleetToken

extension Fleet {
    /// Gives a vehicle the waypoints of a trip that are still before it, and takes those that are not.
    ///
    /// - Parameters:
    ///   - trip: The trip, which names the vehicle.
    ///   - order: All waypoints of the vehicle in the order to drive; nil to append new ones.
    ///   - request: The request for it.
    /// - Throws: ``EngineError`` if there is no such vehicle, or the order has other waypoints.
    mutating func assign(_ trip: Message, order: [Message]?, _ request: EngineRequest) throws(EngineError) {
        let name = Collection.vehicles.name(trip.text("vehicleId"), of: request.provider)
        guard var record = vehicles[name] else { throw .notFound(name) }
        let ahead = trip.waypointsAhead
        var waypoints = record.vehicle.messages("waypoints").filter { waypoint in
            waypoint.text("tripId") != trip.id || ahead.contains { $0.isSameStop(as: waypoint) }
        }
        waypoints += ahead.filter { waypoint in !waypoints.contains { $0.isSameStop(as: waypoint) } }
        if let order {
            waypoints = try Self.reorder(waypoints, as: order, field: "trip.vehicle_waypoints")
            try checkOrder(waypoints, with: trip, of: request.provider)
        }
        var current = record.vehicle.texts("currentTrips").filter { $0 != trip.id || !trip.isOver }
        if !trip.isOver, !current.contains(trip.id) { current.append(trip.id) }
        record.vehicle["currentTrips"] = .list(current)
        record.setWaypoints(waypoints, at: request.now)
        vehicles[name] = record
    }

    /// Checks that each trip is picked up before its destinations, and that an exclusive trip has no other's stop in it.
    private func checkOrder(_ waypoints: [Message], with trip: Message, of provider: String) throws(EngineError) {
        let field = "trip.vehicle_waypoints"
        let stages = [
            "PICKUP_WAYPOINT_TYPE", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE",
        ]
        for id in Set(waypoints.map { $0.text("tripId") }) {
            let own = waypoints.indices.filter { waypoints[$0].text("tripId") == id }
            let order = own.compactMap { stages.firstIndex(of: waypoints[$0].text("waypointType")) }
            guard order == order.sorted() else {
                throw .refused(
                    by: .waypointsDisordered,
                    field,
                    "must have the pickup point of \(id), its destinations and its drop-off point in this order"
                )
            }
            let known = id == trip.id ? trip : trips[Collection.trips.name(id, of: provider)]?.trip
            guard let first = own.first, let last = own.last, known?.text("tripType") == "EXCLUSIVE" else { continue }
            guard last - first + 1 == own.count else {
                throw .refused(
                    by: .waypointsDisordered,
                    field,
                    "must not have another trip's stop between those of \(id)"
                )
            }
        }
    }

    /// Takes a trip from its vehicle.
    mutating func unassign(_ trip: Message, _ request: EngineRequest) {
        let name = Collection.vehicles.name(trip.text("vehicleId"), of: request.provider)
        guard var record = vehicles[name] else { return }
        record.vehicle["currentTrips"] = .list(record.vehicle.texts("currentTrips").filter { $0 != trip.id })
        record.setWaypoints(
            record.vehicle.messages("waypoints").filter { $0.text("tripId") != trip.id },
            at: request.now
        )
        vehicles[name] = record
    }

    /// Returns waypoints in another order.
    ///
    /// - Throws: ``EngineError`` if the order has not exactly the same.
    static func reorder(_ waypoints: [Message], as order: [Message], field: String) throws(EngineError) -> [Message] {
        var left = waypoints
        var ordered: [Message] = []
        for waypoint in order {
            guard let index = left.firstIndex(where: { $0.isSameStop(as: waypoint) }) else { break }
            ordered.append(left.remove(at: index))
        }
        guard left.isEmpty, ordered.count == order.count else {
            throw .refused(by: .waypointsDiffer, field, "must contain all waypoints of the vehicle, and no others")
        }
        return ordered
    }
}

extension Fleet.VehicleRecord {
    /// Replaces the waypoints.
    ///
    /// A route that was reported ends with another first waypoint.
    mutating func setWaypoints(_ waypoints: [Message], at now: Timestamp) {
        let old = vehicle.messages("waypoints")
        guard waypoints != old else { return }
        let isSameFirst = zip(waypoints, old).first { _ in true }.map { $0.isSameStop(as: $1) } ?? false
        vehicle["waypoints"] = .list(waypoints)
        vehicle["waypointsVersion"] = .time(now.version(after: vehicle.time("waypointsVersion")))
        guard !isSameFirst else { return }
        for field in [
            "currentRouteSegment", "currentRouteSegmentEndPoint", "remainingDistanceMeters", "etaToFirstWaypoint",
            "currentRouteSegmentTraffic",
        ] { vehicle[field] = nil }
        changeRoute(at: now)
        trafficVersion = now.version(after: trafficVersion)
    }

    /// Gives the route a new version.
    mutating func changeRoute(at now: Timestamp) {
        let version = now.version(after: vehicle.time("currentRouteSegmentVersion"))
        vehicle["currentRouteSegmentVersion"] = .time(version)
    }
}

extension Message {
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
    func isSameStop(as other: Message) -> Bool {
        text("tripId").hasSameBytes(as: other.text("tripId")) && text("waypointType") == other.text("waypointType")
            && message("location")?.point("point") == other.message("location")?.point("point")
    }
}
