// What the methods require whose permission or claim depends on more than the path.

extension Requirement {
    static func updateTrip(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let changesState = !request.mask.fields.isDisjoint(with: ["tripStatus", "intermediateDestinationIndex"])
        return Self(
            permissions: changesState ? [.updateTrip, .updateTripState] : [.updateTrip],
            claims: [.id(.trip, request.name.id)]
        )
    }

    /// A driver finds the trips of the driver's vehicle.
    static func searchTrips(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let vehicle = request.body.text("vehicleId")
        return Self(
            permissions: [.searchTrips],
            claims: vehicle.isEmpty ? [.wildcard(.trip)] : [.wildcard(.trip), .id(.vehicle, vehicle)]
        )
    }

    static func updateVehicle(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let isReport = request.mask.fields.isSubset(of: Tables.vehicle.names(.report))
        return Self(
            permissions: [isReport ? .updateVehicleLocation : .updateVehicle],
            claims: [.id(.vehicle, request.name.id)]
        )
    }

    static func searchVehicles(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let trip = request.body.text("tripId")
        return Self(
            permissions: [.searchVehicles],
            claims: [trip.isEmpty ? .anyValue(.trip) : .id(.trip, trip), .wildcard(.vehicle)]
        )
    }

    static func updateDeliveryVehicle(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        Self(permissions: fleet.permissions(for: request), claims: [.id(.deliveryVehicle, request.name.id)])
    }

    static func createTask(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let id = request.parameters.text("taskId")
        return Self(permissions: [.createTask], claims: [.id(.task, id), .ids(.tasks, [id])])
    }

    static func batchCreateTasks(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let ids = request.body.messages("requests").map { $0.text("taskId") }
        return Self(permissions: [.createTask], claims: [.wildcard(.task), .ids(.tasks, ids)])
    }

    static func getTask(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let task = fleet.tasks[request.name.text] ?? Message()
        var claims = taskClaims(request, fleet)
        if task.has("trackingId") { claims.append(.id(.tracking, task.text("trackingId"))) }
        return Self(permissions: [.getTask], claims: claims)
    }

    static func updateTask(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let isReport = request.mask.fields.isSubset(of: Tables.task.names(.report))
        return Self(
            permissions: [isReport ? .updateTaskOutcome : .updateTask],
            claims: taskClaims(request, fleet)
        )
    }

    /// The task's own claim, and that of the vehicle that has the task.
    private static func taskClaims(_ request: MethodRequest, _ fleet: Fleet) -> [Claim] {
        let vehicle = fleet.tasks[request.name.text]?.text("deliveryVehicleId") ?? ""
        return [.id(.task, request.name.id)] + (vehicle.isEmpty ? [] : [.id(.deliveryVehicle, vehicle)])
    }

    /// A recipient's token names the tracking ID or the task.
    static func getTaskTrackingInfo(_ request: MethodRequest, _ fleet: Fleet) -> Self {
        let tasks = fleet.tasks(trackedBy: request.name)
        return Self(
            permissions: [.getTaskTrackingInfo],
            claims: [.id(.tracking, request.name.id)] + tasks.map { .id(.task, $0.id) }
        )
    }
}
