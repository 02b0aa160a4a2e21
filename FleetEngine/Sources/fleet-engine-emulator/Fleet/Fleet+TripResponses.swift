import SwiftProtobuf

extension Fleet {
    /// Returns a trip as a response has it: with what its vehicle's reports tell about it.
    func response(_ record: TripRecord, of provider: String, at now: Timestamp, _ detail: TripDetail) -> ProtoTrip {
        var trip = record.trip
        trip.view = detail.view
        guard !trip.isOver, !trip.vehicleID.isEmpty,
            let vehicle = vehicles[Collection.vehicles.name(trip.vehicleID, of: provider)]
        else { return trip }
        trip.lastLocationSnappable =
            !vehicle.vehicle.currentRouteSegment.isEmpty && vehicle.vehicle.lastLocation.isRoadSnapped.value
        if vehicle.vehicle.hasLastLocation { trip.lastLocation = vehicle.vehicle.lastLocation }
        if detail.hasVehicleWaypoints { trip.vehicleWaypoints = vehicle.vehicle.waypoints }
        guard detail.hasJourney else { return trip }
        trip.setJourney(vehicle, at: now, detail)
        return trip
    }
}

extension ProtoTrip {
    fileprivate mutating func setJourney(_ record: Fleet.VehicleRecord, at now: Timestamp, _ detail: TripDetail) {
        let vehicle = record.vehicle
        remainingWaypointsVersion = vehicle.waypointsVersion
        remainingWaypointsRouteVersion = vehicle.waypointsVersion
        currentRouteSegmentVersion = vehicle.currentRouteSegmentVersion
        let journey = Journey(vehicle, at: now)
        let waypoints = journey?.waypoints ?? vehicle.waypoints
        guard let own = waypoints.lastIndex(where: { $0.tripID == id }) else { return }
        remainingWaypoints = Array(waypoints[...own])
        formatWaypoints(detail, vehicle)
        guard let journey else { return }
        remainingDistanceMeters = .init(meters: journey.distance)
        etaToFirstWaypoint = journey.eta
        remainingTimeToFirstWaypoint = .init(secondsRounded: max(0, journey.eta.seconds(since: now)))
        if let pickup = waypoints.first(where: { $0.tripID == id && $0.waypointType == .pickupWaypointType }) {
            pickupTime = pickup.hasEta ? pickup.eta : journey.eta
        }
        if let dropoff = waypoints.last(where: { $0.tripID == id && $0.waypointType == .dropOffWaypointType }) {
            dropoffTime = dropoff.hasEta ? dropoff.eta : journey.eta
        }
        setRoute(journey, of: record, detail)
    }

    /// Omits the paths if the caller has them, or encodes them if it wants them so.
    private mutating func formatWaypoints(_ detail: TripDetail, _ vehicle: ProtoVehicle) {
        let isKnown = vehicle.waypointsVersion.isKnown(by: detail.waypointsRouteVersion)
        guard isKnown || detail.isEncoded else { return }
        for index in remainingWaypoints.indices {
            let path = remainingWaypoints[index].pathToWaypoint
            remainingWaypoints[index].pathToWaypoint = []
            if !isKnown, !path.isEmpty { remainingWaypoints[index].encodedPathToWaypoint = Polyline.encode(path) }
        }
    }

    private mutating func setRoute(_ journey: Journey, of record: Fleet.VehicleRecord, _ detail: TripDetail) {
        if let first = journey.waypoints.first {
            currentRouteSegmentEndPoint =
                record.vehicle.hasCurrentRouteSegmentEndPoint ? record.vehicle.currentRouteSegmentEndPoint : first
        }
        if !record.vehicle.currentRouteSegmentVersion.isKnown(by: detail.routeVersion) {
            if detail.isEncoded {
                currentRouteSegment = Polyline.encode(journey.route)
            } else {
                route = journey.route
                // Only SDKs can interpret what a device has reported.
                if detail.view == .sdk { currentRouteSegment = record.vehicle.currentRouteSegment }
            }
        }
        guard let traffic = journey.traffic, let version = record.trafficVersion else { return }
        currentRouteSegmentTrafficVersion = version
        if !version.isKnown(by: detail.trafficVersion) { currentRouteSegmentTraffic = traffic }
    }
}

extension Timestamp {
    /// Returns whether a caller that has a version has nothing to learn from this one.
    func isKnown(by version: Self?) -> Bool {
        version.map { nanosecondsSince1970 <= $0.nanosecondsSince1970 } ?? false
    }
}
