import SwiftProtobuf

extension Fleet {
    /// Creates a delivery vehicle.
    mutating func createDeliveryVehicle(
        _ request: ProtoCreateDeliveryVehicleRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoDeliveryVehicle {
        try ResourceName.check(request.deliveryVehicleID, "delivery_vehicle_id")
        let name = Collection.deliveryVehicles.name(request.deliveryVehicleID, of: request.parent.resourceID)
        let allowed = ["name", "type", "last_location", "attributes"]
        if let field = request.deliveryVehicle.setFields.first(where: { !allowed.contains($0) }) {
            throw .forbidden("delivery_vehicle.\(field)", "must not be set when a vehicle is created")
        }
        guard deliveryVehicles[name] == nil else { throw .alreadyExists(name) }
        var vehicle = request.deliveryVehicle
        vehicle.name = name
        if vehicle.type == .unspecified { vehicle.type = .auto }
        try vehicle.normalize(["last_location", "attributes"], at: now)
        deliveryVehicles[name] = vehicle
        return vehicle
    }

    /// Returns a delivery vehicle.
    func getDeliveryVehicle(_ name: String) throws(EngineError) -> ProtoDeliveryVehicle {
        guard let vehicle = deliveryVehicles[name] else { throw .notFound(name) }
        return response(vehicle, hasWindows: true)
    }

    /// Returns a delivery vehicle with what its tasks say about its stops; their time windows are for some responses only.
    private func response(_ vehicle: ProtoDeliveryVehicle, hasWindows: Bool = false) -> ProtoDeliveryVehicle {
        var vehicle = vehicle
        for segment in vehicle.remainingVehicleJourneySegments.indices {
            for index in vehicle.remainingVehicleJourneySegments[segment].stop.tasks.indices {
                let id = vehicle.remainingVehicleJourneySegments[segment].stop.tasks[index].taskID
                guard let task = tasks[Collection.tasks.name(id, of: vehicle.name.providerID)] else { continue }
                var info = ProtoVehicleStop.TaskInfo()
                info.taskID = id
                info.taskDuration = task.taskDuration
                if hasWindows, task.hasTargetTimeWindow { info.targetTimeWindow = task.targetTimeWindow }
                vehicle.remainingVehicleJourneySegments[segment].stop.tasks[index] = info
            }
        }
        return vehicle
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
            try vehicle.checkStops()
            vehicle.plan(from: old)
            try assignTasks(of: vehicle, before: old)
        }
        vehicle.beginPlan()
        deliveryVehicles[name] = vehicle
        return response(vehicle)
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
                throw .invalid("delivery_vehicle.remaining_vehicle_journey_segments", "has the closed task \(taskID)")
            }
            guard task.deliveryVehicleID == id || !isAssigned(task) else {
                throw .refused(
                    by: .taskIsAssigned,
                    "delivery_vehicle.remaining_vehicle_journey_segments",
                    "has the task \(taskID), which another vehicle has. Remove it there, which closes it, and create another"
                )
            }
        }
        for taskID in vehicle.taskIDs { tasks[Collection.tasks.name(taskID, of: provider)]?.deliveryVehicleID = id }
        let left = Set(vehicle.taskIDs)
        for taskID in old.taskIDs where !left.contains(taskID) {
            let name = Collection.tasks.name(taskID, of: provider)
            tasks[name]?.state = .closed
        }
    }

    /// Returns a page of delivery vehicles, without their journeys.
    func listDeliveryVehicles(
        _ request: ProtoListDeliveryVehiclesRequest
    ) throws(EngineError) -> ProtoListDeliveryVehiclesResponse {
        if request.hasViewport { try request.viewport.check() }
        let filter = try Filter(request.filter)
        let prefix = Collection.deliveryVehicles.name("", of: request.parent.resourceID)
        let matches = deliveryVehicles.values.filter { vehicle in
            vehicle.name.utf8.starts(with: prefix.utf8)
                && filter.matches(vehicle.attributes.value)
                && (!request.hasViewport
                    || (vehicle.hasLastLocation && request.viewport.contains(vehicle.lastLocation.location)))
        }
        let page = try Page(matches, by: \.name, for: request)
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
