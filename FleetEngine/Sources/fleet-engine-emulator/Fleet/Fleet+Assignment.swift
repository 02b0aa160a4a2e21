extension Fleet {
    /// Gives a vehicle the waypoints of a trip that are still before it, and takes those that are not.
    ///
    /// - Parameters:
    ///   - trip: The trip, which names the vehicle.
    ///   - order: All waypoints of the vehicle in the order to drive; nil to append new ones.
    ///   - provider: The provider.
    ///   - now: The time.
    /// - Throws: ``EngineError`` if there is no such vehicle, or the order has other waypoints.
    mutating func assign(
        _ trip: ProtoTrip,
        order: [ProtoTripWaypoint]? = nil,
        of provider: String,
        at now: Timestamp
    ) throws(EngineError) {
        let name = Collection.vehicles.name(trip.vehicleID, of: provider)
        guard var record = vehicles[name] else { throw .notFound(name) }
        let ahead = trip.waypointsAhead
        var waypoints = record.vehicle.waypoints.filter { waypoint in
            waypoint.tripID != trip.id || ahead.contains { $0.isSame(as: waypoint) }
        }
        waypoints += ahead.filter { waypoint in !waypoints.contains { $0.isSame(as: waypoint) } }
        if let order {
            waypoints = try Self.reorder(waypoints, as: order, field: "trip.vehicle_waypoints")
            try checkOrder(waypoints, with: trip, of: provider)
        }
        record.vehicle.currentTrips.removeAll { $0 == trip.id && trip.isOver }
        if !trip.isOver, !record.vehicle.currentTrips.contains(trip.id) { record.vehicle.currentTrips.append(trip.id) }
        record.setWaypoints(waypoints, at: now)
        vehicles[name] = record
    }

    /// Checks that each trip is picked up before its destinations, and that an exclusive trip has no other's stop in it.
    private func checkOrder(
        _ waypoints: [ProtoTripWaypoint],
        with trip: ProtoTrip,
        of provider: String
    ) throws(EngineError) {
        let field = "trip.vehicle_waypoints"
        let stages: [ProtoWaypointType] = [
            .pickupWaypointType, .intermediateDestinationWaypointType, .dropOffWaypointType,
        ]
        for id in Set(waypoints.map(\.tripID)) {
            let own = waypoints.indices.filter { waypoints[$0].tripID == id }
            let order = own.compactMap { stages.firstIndex(of: waypoints[$0].waypointType) }
            guard order == order.sorted() else {
                throw .refused(
                    by: .waypointsDisordered,
                    field,
                    "must have the pickup point of \(id), its destinations and its drop-off point in this order"
                )
            }
            let known = id == trip.id ? trip : trips[Collection.trips.name(id, of: provider)]?.trip
            guard let first = own.first, let last = own.last, known?.tripType == .exclusive else { continue }
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
    mutating func unassign(_ trip: ProtoTrip, of provider: String, at now: Timestamp) {
        let name = Collection.vehicles.name(trip.vehicleID, of: provider)
        guard var record = vehicles[name] else { return }
        record.vehicle.currentTrips.removeAll { $0 == trip.id }
        record.setWaypoints(record.vehicle.waypoints.filter { $0.tripID != trip.id }, at: now)
        vehicles[name] = record
    }

    /// Returns waypoints in another order.
    ///
    /// - Throws: ``EngineError`` if the order has not exactly the same.
    static func reorder(
        _ waypoints: [ProtoTripWaypoint],
        as order: [ProtoTripWaypoint],
        field: String
    ) throws(EngineError) -> [ProtoTripWaypoint] {
        var left = waypoints
        var ordered: [ProtoTripWaypoint] = []
        for waypoint in order {
            guard let index = left.firstIndex(where: { $0.isSame(as: waypoint) }) else { break }
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
    mutating func setWaypoints(_ waypoints: [ProtoTripWaypoint], at now: Timestamp) {
        guard waypoints != vehicle.waypoints else { return }
        let isSameFirst = waypoints.first.map { first in vehicle.waypoints.first?.isSame(as: first) ?? false } ?? false
        vehicle.waypoints = waypoints
        vehicle.waypointsVersion = now.version(after: vehicle.hasWaypointsVersion ? vehicle.waypointsVersion : nil)
        guard !isSameFirst else { return }
        vehicle.currentRouteSegment = ""
        vehicle.clearCurrentRouteSegmentEndPoint()
        vehicle.clearRemainingDistanceMeters()
        vehicle.clearEtaToFirstWaypoint()
        bumpRoute(at: now)
        setTraffic(nil, at: now)
    }

    /// Gives the route a new version.
    mutating func bumpRoute(at now: Timestamp) {
        vehicle.currentRouteSegmentVersion = now.version(
            after: vehicle.hasCurrentRouteSegmentVersion ? vehicle.currentRouteSegmentVersion : nil
        )
    }

    /// Replaces the traffic, and gives it a new version.
    mutating func setTraffic(_ traffic: ProtoTrafficPolylineData?, at now: Timestamp) {
        if let traffic {
            vehicle.currentRouteSegmentTraffic = traffic
        } else {
            vehicle.clearCurrentRouteSegmentTraffic()
        }
        trafficVersion = now.version(after: trafficVersion)
    }
}
