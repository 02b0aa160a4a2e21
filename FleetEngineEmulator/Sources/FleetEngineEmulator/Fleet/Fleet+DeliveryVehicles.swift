import SwiftProtobuf

extension Fleet {
    /// Creates a delivery vehicle.
    mutating func createDeliveryVehicle(
        _ request: ProtoCreateDeliveryVehicleRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoDeliveryVehicle {
        try ResourceName.check(request.deliveryVehicleID, "delivery_vehicle_id")
        let name = Collection.deliveryVehicles.name(request.deliveryVehicleID, of: request.parent.resourceID)
        var vehicle = ProtoDeliveryVehicle()
        vehicle.type = request.deliveryVehicle.type
        vehicle.attributes = request.deliveryVehicle.attributes
        if request.deliveryVehicle.hasLastLocation { vehicle.lastLocation = request.deliveryVehicle.lastLocation }
        vehicle.name = request.deliveryVehicle.name
        guard vehicle == request.deliveryVehicle else {
            throw .field(
                .fieldForbidden,
                "delivery_vehicle",
                "may have only type, last_location and attributes when it is created"
            )
        }
        guard deliveryVehicles[name] == nil else { throw .alreadyExists(name) }
        vehicle.name = name
        try vehicle.normalize(["last_location", "attributes"], at: now)
        deliveryVehicles[name] = vehicle
        return vehicle
    }

    /// Returns a delivery vehicle.
    func getDeliveryVehicle(_ name: String) throws(EngineError) -> ProtoDeliveryVehicle {
        guard let vehicle = deliveryVehicles[name] else { throw .notFound(name) }
        return vehicle.withEstimates
    }

    /// The fields that each driver's token may change: what the driver's device reports.
    static let deliveryReported: Set<String> = [
        "last_location", "past_locations", "navigation_status", "current_route_segment",
        "current_route_segment_end_point", "remaining_distance_meters", "remaining_duration",
    ]

    /// Returns the permissions that an update of a delivery vehicle needs.
    func permissions(for request: ProtoUpdateDeliveryVehicleRequest) -> Set<Permission> {
        var fields = UpdateMask(request.updateMask).fields
        var permissions: Set<Permission> = []
        if fields.remove("remaining_vehicle_journey_segments") != nil {
            let old = deliveryVehicles[request.deliveryVehicle.name]?.remainingVehicleJourneySegments ?? []
            let isProgress = request.deliveryVehicle.remainingVehicleJourneySegments.isProgress(from: old)
            permissions.insert(isProgress ? .updateDeliveryVehicleStop : .updateDeliveryVehicle)
        }
        guard !fields.isEmpty || permissions.isEmpty else { return permissions }
        let isReport = fields.isSubset(of: Self.deliveryReported)
        return permissions.union([isReport ? .updateDeliveryVehicleLocation : .updateDeliveryVehicle])
    }

    /// Changes a delivery vehicle; tasks that its stops have no more are closed.
    mutating func updateDeliveryVehicle(
        _ request: ProtoUpdateDeliveryVehicleRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoDeliveryVehicle {
        let name = request.deliveryVehicle.name
        guard let old = deliveryVehicles[name] else { throw .notFound(name) }
        let mask = UpdateMask(request.updateMask)
        var vehicle = old
        try mask.apply(from: request.deliveryVehicle, to: &vehicle, outputOnly: ["name"])
        try vehicle.normalize(mask.fields, at: now)
        if mask.fields.contains("remaining_vehicle_journey_segments") {
            try assignTasks(of: vehicle, before: old)
        }
        deliveryVehicles[name] = vehicle
        return vehicle.withEstimates
    }

    private mutating func assignTasks(
        of vehicle: ProtoDeliveryVehicle,
        before old: ProtoDeliveryVehicle
    ) throws(EngineError) {
        let id = vehicle.name.resourceID
        let provider = vehicle.name.providerID
        for taskID in vehicle.taskIDs {
            let name = Collection.tasks.name(taskID, of: provider)
            guard let task = tasks[name] else { throw .notFound(name) }
            guard task.state == .open else {
                throw .field(.fieldInvalid, "remaining_vehicle_journey_segments", "has the closed task \(taskID)")
            }
        }
        for taskID in vehicle.taskIDs { tasks[Collection.tasks.name(taskID, of: provider)]?.deliveryVehicleID = id }
        let left = Set(vehicle.taskIDs)
        for taskID in old.taskIDs where !left.contains(taskID) {
            let name = Collection.tasks.name(taskID, of: provider)
            // It may be another vehicle's by now.
            if tasks[name]?.deliveryVehicleID == id { tasks[name]?.state = .closed }
        }
    }

    /// Returns a page of delivery vehicles, without their journeys.
    func listDeliveryVehicles(
        _ request: ProtoListDeliveryVehiclesRequest
    ) throws(EngineError) -> ProtoListDeliveryVehiclesResponse {
        let filter = try Filter(request.filter, fields: [])
        let prefix = Collection.deliveryVehicles.name("", of: request.parent.resourceID)
        let matches = deliveryVehicles.values.filter { vehicle in
            vehicle.name.utf8.starts(with: prefix.utf8)
                && filter.matches { field in
                    vehicle.attributes.first { "attributes.\($0.key)" == field }?.value
                }
                && (!request.hasViewport
                    || (vehicle.hasLastLocation && request.viewport.contains(vehicle.lastLocation.location)))
        }
        let page = try Page(matches, by: \.name, size: request.pageSize, token: request.pageToken)
        return .with {
            $0.deliveryVehicles = page.elements.map { vehicle in
                var vehicle = vehicle
                vehicle.remainingVehicleJourneySegments = []
                return vehicle
            }
            $0.nextPageToken = page.nextToken
            $0.totalSize = Int64(matches.count)
        }
    }

    /// Deletes a delivery vehicle.
    mutating func deleteDeliveryVehicle(_ name: String) throws(EngineError) -> Google_Protobuf_Empty {
        guard let vehicle = deliveryVehicles[name] else { throw .notFound(name) }
        let id = name.resourceID
        let hasTasks = vehicle.taskIDs.contains { taskID in
            let task = tasks[Collection.tasks.name(taskID, of: name.providerID)]
            return task?.state == .open && task?.deliveryVehicleID == id
        }
        guard !hasTasks else { throw EngineError(.vehicleHasTasks, "The vehicle has open tasks.") }
        deliveryVehicles[name] = nil
        return Google_Protobuf_Empty()
    }
}

extension ProtoDeliveryVehicle {
    /// The IDs of the tasks of all stops.
    var taskIDs: [String] { remainingVehicleJourneySegments.flatMap(\.stop.tasks).map(\.taskID) }

    /// Checks and completes the fields that were sent, and removes what only requests have.
    fileprivate mutating func normalize(_ fields: Set<String>, at now: Timestamp) throws(EngineError) {
        if fields.contains("last_location"), hasLastLocation {
            guard lastLocation.locationSensor != .fleetEngineLocation else {
                throw EngineError.field(
                    .locationSensorReserved,
                    "delivery_vehicle.last_location.location_sensor",
                    "is for Fleet Engine only"
                )
            }
            try lastLocation.location.check("delivery_vehicle.last_location.location")
            lastLocation.serverTime = now
        }
        if fields.contains("attributes") { attributes = attributes.map(\.normalized) }
        pastLocations = []
    }

    /// The vehicle with the way to each stop, estimated where it was not reported.
    var withEstimates: Self {
        var vehicle = self
        var last = hasLastLocation ? lastLocation.location : nil
        for index in vehicle.remainingVehicleJourneySegments.indices {
            let stop = vehicle.remainingVehicleJourneySegments[index].stop.plannedLocation.point
            if let last { vehicle.remainingVehicleJourneySegments[index].complete(from: last) }
            last = stop
        }
        return vehicle
    }
}

extension ProtoVehicleJourneySegment {
    fileprivate mutating func complete(from start: ProtoLatLng) {
        let end = stop.plannedLocation.point
        let meters = Estimate.distance(start, end)
        if !hasDrivingDistanceMeters { drivingDistanceMeters = .init(meters: meters) }
        if !hasDrivingDuration { drivingDuration = .init(secondsRounded: Estimate.duration(meters: meters)) }
        if path.isEmpty { path = [start, end] }
    }
}

extension [ProtoVehicleJourneySegment] {
    /// Returns whether these are old segments with stops done, or with another state of the first stop: all that a
    /// driver who is not trusted may change.
    func isProgress(from old: Self) -> Bool {
        guard count <= old.count else { return false }
        return zip(self, old.suffix(count)).enumerated().allSatisfy { index, pair in
            var (new, old) = pair
            if index == 0 {
                new.stop.state = .unspecified
                old.stop.state = .unspecified
            }
            return new.stop == old.stop
        }
    }
}

extension ProtoDeliveryVehicleAttribute {
    /// The attribute with its value in both places where callers look for it.
    fileprivate var normalized: Self {
        var attribute = self
        switch deliveryVehicleAttributeValue {
        case .stringValue(let text)?: attribute.value = text
        case .boolValue(let flag)?: attribute.value = flag ? "true" : "false"
        case .numberValue(let number)?: attribute.value = "\(number)"
        case nil: attribute.stringValue = value
        }
        return attribute
    }
}
