import EngineCoding
import FleetToken

/// What a response about a trip has.
struct TripDetail {
    /// Versions that the caller has: what has not changed since is omitted.
    private var routeVersion: Timestamp?
    private var trafficVersion: Timestamp?
    private var waypointsRouteVersion: Timestamp?
    private var isEncoded = false
    private var view = "SDK"
    /// Whether the vehicle's waypoints are in it: in responses to creating and updating, never in others.
    private let hasVehicleWaypoints: Bool
    /// Whether route, waypoints, distance and times are in it.
    private let hasJourney: Bool

    /// Creates the detail of a response to a request without a choice.
    init(hasVehicleWaypoints: Bool = false, hasJourney: Bool = true) {
        self.hasVehicleWaypoints = hasVehicleWaypoints
        self.hasJourney = hasJourney
    }

    /// Creates the detail that a request selects.
    init(_ request: Message) {
        self.init()
        routeVersion = request.time("currentRouteSegmentVersion")
        trafficVersion = request.time("currentRouteSegmentTrafficVersion")
        waypointsRouteVersion = request.time("remainingWaypointsRouteVersion")
        if request.has("view") { view = request.text("view") }
        isEncoded = request.text("routeFormatType") == "ENCODED_POLYLINE_TYPE"
    }

    /// Returns a trip with what its vehicle's reports tell about it.
    func response(_ trip: Message, of record: Fleet.VehicleRecord?, at now: Timestamp) -> Message {
        var trip = trip
        trip["view"] = .string(view)
        guard !trip.isOver, let record else { return trip }
        let vehicle = record.vehicle
        let location = vehicle.message("lastLocation")
        if vehicle.has("currentRouteSegment"), location?.flag("isRoadSnapped") == true {
            trip["lastLocationSnappable"] = .bool(true)
        }
        trip["lastLocation"] = vehicle["lastLocation"]
        if hasVehicleWaypoints { trip["vehicleWaypoints"] = vehicle["waypoints"] }
        if hasJourney { setJourney(record, of: &trip, at: now) }
        return trip
    }

    private func setJourney(_ record: Fleet.VehicleRecord, of trip: inout Message, at now: Timestamp) {
        let vehicle = record.vehicle
        trip["remainingWaypointsVersion"] = vehicle["waypointsVersion"]
        trip["remainingWaypointsRouteVersion"] = vehicle["waypointsVersion"]
        trip["currentRouteSegmentVersion"] = vehicle["currentRouteSegmentVersion"]
        let journey = Journey(vehicle, at: now)
        let waypoints = journey?.waypoints ?? vehicle.messages("waypoints")
        guard let own = waypoints.lastIndex(where: { $0.text("tripId") == trip.id }) else { return }
        let isKnown = vehicle.time("waypointsVersion")?.isKnown(by: waypointsRouteVersion) ?? false
        trip["remainingWaypoints"] = .list(waypoints[...own].map { formatted($0, isKnown: isKnown) })
        guard let journey else { return }
        trip["remainingDistanceMeters"] = .meters(journey.distance)
        trip["etaToFirstWaypoint"] = .time(journey.eta)
        trip["remainingTimeToFirstWaypoint"] = .duration(max(0, journey.eta.seconds(since: now)))
        let stops = waypoints.filter { $0.text("tripId") == trip.id }
        if let pickup = stops.first(where: { $0.text("waypointType") == "PICKUP_WAYPOINT_TYPE" }) {
            trip["pickupTime"] = .time(pickup.time("eta") ?? journey.eta)
        }
        if let dropoff = stops.last(where: { $0.text("waypointType") == "DROP_OFF_WAYPOINT_TYPE" }) {
            trip["dropoffTime"] = .time(dropoff.time("eta") ?? journey.eta)
        }
        setRoute(journey, of: record, of: &trip)
    }

    /// Omits the path if the caller has it, or encodes it if it wants it so.
    private func formatted(_ waypoint: Message, isKnown: Bool) -> Message {
        guard isKnown || isEncoded else { return waypoint }
        var waypoint = waypoint
        let path = waypoint.messages("pathToWaypoint").map(Point.init)
        waypoint["pathToWaypoint"] = nil
        if !isKnown, !path.isEmpty { waypoint["encodedPathToWaypoint"] = .string(path.encoded) }
        return waypoint
    }

    private func setRoute(_ journey: Journey, of record: Fleet.VehicleRecord, of trip: inout Message) {
        let vehicle = record.vehicle
        trip["currentRouteSegmentEndPoint"] = vehicle["currentRouteSegmentEndPoint"] ?? journey.waypoints.first?.json
        if vehicle.time("currentRouteSegmentVersion")?.isKnown(by: routeVersion) != true {
            if isEncoded {
                trip["currentRouteSegment"] = .string(journey.route.encoded)
            } else {
                trip["route"] = .list(journey.route)
                // Only SDKs can interpret what a device has reported.
                if view == "SDK" { trip["currentRouteSegment"] = vehicle["currentRouteSegment"] }
            }
        }
        guard let traffic = journey.traffic, let version = record.trafficVersion else { return }
        trip["currentRouteSegmentTrafficVersion"] = .time(version)
        if !version.isKnown(by: trafficVersion) { trip["currentRouteSegmentTraffic"] = traffic.json }
    }
}

extension [Point] {
    fileprivate var encoded: String { Polyline.encode(map { ($0.latitude, $0.longitude) }) }
}

extension Fleet {
    /// Returns a trip as a response has it.
    func response(_ record: TripRecord, to request: EngineRequest, detail: TripDetail) -> Message {
        let vehicle = vehicles[Collection.vehicles.name(record.trip.text("vehicleId"), of: request.provider)]
        return detail.response(record.trip, of: vehicle, at: request.now)
    }
}
