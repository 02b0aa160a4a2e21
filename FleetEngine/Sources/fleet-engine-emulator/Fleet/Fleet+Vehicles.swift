import SwiftProtobuf

extension Fleet {
    /// Creates a vehicle.
    mutating func createVehicle(
        _ request: ProtoCreateVehicleRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoVehicle {
        try ResourceName.check(request.vehicleID, "vehicle_id")
        let name = Collection.vehicles.name(request.vehicleID, of: request.parent.resourceID)
        try Self.check(request.vehicle)
        guard vehicles[name] == nil else { throw .alreadyExists(name) }
        var vehicle = ProtoVehicle()
        vehicle.name = name
        vehicle.vehicleState = request.vehicle.vehicleState
        vehicle.supportedTripTypes = request.vehicle.supportedTripTypes
        vehicle.maximumCapacity = request.vehicle.maximumCapacity
        vehicle.vehicleType = request.vehicle.vehicleType
        vehicle.attributes = request.vehicle.attributes.map(\.normalized)
        vehicle.backToBackEnabled = request.vehicle.backToBackEnabled
        if request.vehicle.hasLicensePlate { vehicle.licensePlate = request.vehicle.licensePlate }
        if request.vehicle.hasLastLocation { vehicle.lastLocation = request.vehicle.lastLocation.received(at: now) }
        let record = VehicleRecord(vehicle: vehicle)
        vehicles[name] = record
        return response(record, at: now)
    }

    private static func check(_ vehicle: ProtoVehicle) throws(EngineError) {
        try vehicle.check([
            "vehicle_state", "supported_trip_types", "maximum_capacity", "vehicle_type", "last_location",
            "past_locations", "attributes", "license_plate",
            "device_settings",
        ])
    }

    /// Returns a vehicle, without what has not changed since the request's versions.
    func getVehicle(_ request: ProtoGetVehicleRequest, at now: Timestamp) throws(EngineError) -> ProtoVehicle {
        guard let record = vehicles[request.name] else { throw .notFound(request.name) }
        var vehicle = response(record, at: now)
        let route = request.hasCurrentRouteSegmentVersion ? request.currentRouteSegmentVersion : nil
        if vehicle.currentRouteSegmentVersion.isKnown(by: route) { vehicle.currentRouteSegment = "" }
        if vehicle.waypointsVersion.isKnown(by: request.hasWaypointsVersion ? request.waypointsVersion : nil) {
            vehicle.waypoints = []
        }
        return vehicle
    }

    /// Returns a vehicle as a response has it.
    func response(_ record: VehicleRecord, at now: Timestamp) -> ProtoVehicle {
        var vehicle = record.vehicle
        vehicle.clearCurrentRouteSegmentTraffic()
        let hasSegment = !vehicle.currentRouteSegment.isEmpty
        // Both are about the segment, and unspecified without one.
        if !hasSegment { vehicle.clearRemainingDistanceMeters() }
        if !hasSegment || vehicle.waypoints.isEmpty { vehicle.clearEtaToFirstWaypoint() }
        guard let journey = Journey(record.vehicle, at: now) else { return vehicle }
        vehicle.waypoints = journey.waypoints
        guard hasSegment else { return vehicle }
        vehicle.etaToFirstWaypoint = journey.eta
        vehicle.remainingDistanceMeters = .init(meters: journey.distance)
        return vehicle
    }

    /// Fields of a vehicle that only responses have.
    private static let outputOnly: Set<String> = [
        "name", "current_trips", "current_route_segment_version", "waypoints_version",
    ]

    /// The fields that a driver's token may change: what the driver's device reports.
    static let reported: Set<String> = [
        "vehicle_state", "last_location", "past_locations", "current_route_segment", "current_route_segment_end_point",
        "current_route_segment_traffic", "remaining_distance_meters", "remaining_time_seconds",
        "eta_to_first_waypoint", "navigation_status", "device_settings",
    ]

    /// Changes a vehicle.
    mutating func updateVehicle(
        _ request: ProtoUpdateVehicleRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoVehicle {
        guard var record = vehicles[request.name] else { throw .notFound(request.name) }
        let mask = UpdateMask(request.updateMask)
        let old = record.vehicle
        var vehicle = old
        try mask.apply(from: request.vehicle, to: &vehicle, outputOnly: Self.outputOnly)
        let fields = mask.fields
        // Only what the mask names was sent now.
        try vehicle.check(fields)
        if fields.contains("last_location"), vehicle.hasLastLocation {
            vehicle.lastLocation = vehicle.lastLocation.received(at: now)
        }
        if fields.contains("attributes") { vehicle.attributes = vehicle.attributes.map(\.normalized) }
        if fields.contains("current_route_segment_end_point") {
            vehicle.completeEndPoint(old, isIgnored: !fields.contains("current_route_segment"))
        }
        if fields.contains("remaining_time_seconds"), vehicle.hasRemainingTimeSeconds {
            vehicle.etaToFirstWaypoint = now.adding(Double(vehicle.remainingTimeSeconds.value))
        }
        if fields.contains("waypoints") {
            let order = try Self.reorder(old.waypoints, as: vehicle.waypoints, field: "vehicle.waypoints")
            vehicle.waypoints = old.waypoints
            record.vehicle = vehicle
            record.setWaypoints(order, at: now)
        } else {
            record.vehicle = vehicle
        }
        record.vehicle.forgetInput()
        if record.vehicle.currentRouteSegment != old.currentRouteSegment { record.bumpRoute(at: now) }
        if fields.contains("current_route_segment_traffic"),
            record.vehicle.currentRouteSegmentTraffic != old.currentRouteSegmentTraffic
        {
            record.trafficVersion = now.version(after: record.trafficVersion)
        }
        vehicles[request.name] = record
        return response(record, at: now)
    }

    /// Changes a vehicle's location, and its state if the request has one.
    mutating func updateVehicleLocation(
        _ request: ProtoUpdateVehicleLocationRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoVehicleLocation {
        guard request.hasCurrentLocation, request.currentLocation.hasLocation, request.currentLocation.hasUpdateTime
        else { throw .missing("current_location", "must have location and update_time") }
        var update = ProtoUpdateVehicleRequest()
        update.name = request.name
        update.vehicle.lastLocation = request.currentLocation
        update.updateMask.paths = ["last_location"]
        if request.currentState != .unknownVehicleState {
            update.vehicle.vehicleState = request.currentState
            update.updateMask.paths.append("vehicle_state")
        }
        return try updateVehicle(update, at: now).lastLocation
    }

    /// Adds or changes attributes of a vehicle.
    mutating func updateVehicleAttributes(
        _ request: ProtoUpdateVehicleAttributesRequest
    ) throws(EngineError) -> ProtoUpdateVehicleAttributesResponse {
        guard var record = vehicles[request.name] else { throw .notFound(request.name) }
        guard !request.attributes.isEmpty else { throw .missing("attributes", "must not be empty") }
        try request.attributes.check("attributes", maximum: 100)
        for attribute in request.attributes {
            record.vehicle.attributes.removeAll { $0.key.hasSameBytes(as: attribute.key) }
            record.vehicle.attributes.append(attribute.normalized)
        }
        try record.vehicle.attributes.check("attributes", maximum: 100)
        vehicles[request.name] = record
        return .with { $0.attributes = record.vehicle.attributes }
    }

    /// Deletes a vehicle.
    mutating func deleteVehicle(_ request: ProtoDeleteVehicleRequest) throws(EngineError) -> Google_Protobuf_Empty {
        guard let record = vehicles[request.name] else { throw .notFound(request.name) }
        guard record.vehicle.currentTrips.isEmpty else {
            throw EngineError(.vehicleHasTrips, "The vehicle has active trips.")
        }
        vehicles[request.name] = nil
        return Google_Protobuf_Empty()
    }
}
