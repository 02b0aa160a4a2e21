import EngineCoding
import FleetToken

extension Fleet {
    /// Creates a delivery vehicle.
    mutating func createDeliveryVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let id = request.parameters.text("deliveryVehicleId")
        try ResourceName.check(id, "delivery_vehicle_id")
        let name = Collection.deliveryVehicles.name(id, of: request.provider)
        try request.body.checkCreation(Tables.deliveryVehicle)
        guard deliveryVehicles[name] == nil else { throw .alreadyExists(name) }
        var vehicle = request.body
        vehicle["name"] = .string(name)
        vehicle["type"] = vehicle["type"] ?? .string("AUTO")
        vehicle.receiveLocation(at: request.now)
        deliveryVehicles[name] = vehicle
        return vehicle
    }

    /// Returns a delivery vehicle.
    func getDeliveryVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        guard let vehicle = deliveryVehicles[request.name.text] else { throw .notFound(request.name.text) }
        return response(vehicle, hasWindows: true)
    }

    /// Returns a delivery vehicle with what its tasks say about its stops; their time windows are for some responses only.
    private func response(_ vehicle: Message, hasWindows: Bool = false) -> Message {
        var vehicle = vehicle
        let segments = vehicle.segments.map { segment in
            segment.withStop { stop in
                let infos = stop.messages("tasks").map { info in
                    let id = info.text("taskId")
                    let name = Collection.tasks.name(id, of: vehicle.name.providerID)
                    guard let task = tasks[name] else { return info }
                    return [
                        "taskId": .string(id), "taskDuration": task["taskDuration"],
                        "targetTimeWindow": hasWindows ? task["targetTimeWindow"] : nil,
                    ] as Message
                }
                stop["tasks"] = .list(infos)
            }
        }
        vehicle.segments = segments
        return vehicle
    }

    /// Returns the permissions that an update of a delivery vehicle needs.
    func permissions(for request: MethodRequest) -> Set<Permission> {
        var fields = request.mask.fields
        var permissions: Set<Permission> = []
        if fields.remove("remainingVehicleJourneySegments") != nil {
            let old = deliveryVehicles[request.name.text]?.segments ?? []
            let isProgress = request.body.segments.isProgress(from: old)
            permissions.insert(isProgress ? .updateDeliveryVehicleStop : .updateDeliveryVehicle)
        }
        guard !fields.isEmpty || permissions.isEmpty else { return permissions }
        let isReport = fields.isSubset(of: Tables.deliveryVehicle.names(.report))
        return permissions.union([isReport ? .updateDeliveryVehicleLocation : .updateDeliveryVehicle])
    }

    /// Changes a delivery vehicle, and closes tasks that are no longer at any stop.
    mutating func updateDeliveryVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let old = deliveryVehicles[name] else { throw .notFound(name) }
        var vehicle = old
        try request.mask.apply(from: request.body, to: &vehicle, Tables.deliveryVehicle)
        if request.mask.fields.contains("lastLocation") { vehicle.receiveLocation(at: request.now) }
        vehicle.removeInputOnlyFields(Tables.deliveryVehicle)
        vehicle.removeFieldsAboutSegment()
        if request.mask.fields.contains("remainingVehicleJourneySegments") {
            try vehicle.checkStops()
            vehicle.planRoutes(from: old)
            try assignTasks(of: vehicle, before: old)
        }
        vehicle.planFirstRoute()
        deliveryVehicles[name] = vehicle
        return response(vehicle)
    }

    private mutating func assignTasks(of vehicle: Message, before old: Message) throws(EngineError) {
        let field = "delivery_vehicle.remaining_vehicle_journey_segments"
        let provider = vehicle.name.providerID
        for taskID in vehicle.taskIDs {
            let name = Collection.tasks.name(taskID, of: provider)
            guard let task = tasks[name] else { throw .notFound(name) }
            guard task.text("state") == "OPEN" else { throw .invalid(field, "has the closed task \(taskID)") }
            guard task.text("deliveryVehicleId") == vehicle.id || !isAssigned(task) else {
                throw .refused(
                    by: .taskIsAssigned,
                    field,
                    "has the task \(taskID), which another vehicle has. Remove it there, which closes it, and create another"
                )
            }
        }
        for taskID in vehicle.taskIDs {
            tasks[Collection.tasks.name(taskID, of: provider)]?["deliveryVehicleId"] = .string(vehicle.id)
        }
        let left = Set(vehicle.taskIDs)
        for taskID in old.taskIDs where !left.contains(taskID) {
            tasks[Collection.tasks.name(taskID, of: provider)]?["state"] = .string("CLOSED")
        }
    }

    /// Returns a page of delivery vehicles, without their journeys.
    func listDeliveryVehicles(_ request: MethodRequest) throws(EngineError) -> Message {
        let filter = try Filter(request.parameters.text("filter"))
        let prefix = Collection.deliveryVehicles.name("", of: request.provider)
        let matches = deliveryVehicles.values.filter { vehicle in
            vehicle.name.utf8.starts(with: prefix.utf8) && filter.matches(vehicle.attribute)
        }
        let page = try Page(matches, for: request.parameters)
        return page.response("deliveryVehicles", total: matches.count) { vehicle in
            var vehicle = vehicle
            vehicle.segments = []
            return vehicle
        }
    }

    /// Deletes a delivery vehicle.
    mutating func deleteDeliveryVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let vehicle = deliveryVehicles[name] else { throw .notFound(name) }
        let hasTasks = vehicle.taskIDs.contains { taskID in
            let task = tasks[Collection.tasks.name(taskID, of: request.provider)]
            return task?.text("state") == "OPEN" && task?.text("deliveryVehicleId") == vehicle.id
        }
        guard !hasTasks else { throw EngineError(.vehicleHasTasks, "The vehicle has open tasks.") }
        deliveryVehicles[name] = nil
        return Message()
    }
}

extension Message {
    /// Checks that a request to create something sets nothing else than its table allows.
    func checkCreation(_ table: Table) throws(EngineError) {
        let allowed = table.names(.creation)
        if let field = fields.keys.filter({ !allowed.contains($0) }).min() {
            throw .forbidden("\(table.name).\(field.snakeCased)", "must not be set when it is created")
        }
    }

    /// Removes what is about the current segment from a delivery vehicle without one.
    fileprivate mutating func removeFieldsAboutSegment() {
        guard !has("currentRouteSegment") else { return }
        for field in ["currentRouteSegmentEndPoint", "remainingDistanceMeters", "remainingDuration"] {
            self[field] = nil
        }
    }
}
