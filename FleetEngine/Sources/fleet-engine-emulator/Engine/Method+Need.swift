import EngineCoding

extension Method {
    /// Returns what a request needs of a token: permissions of the role, and one of some claims.
    func need(_ request: EngineRequest, _ fleet: Fleet) -> Need {
        Need(permissions: permissions(request, fleet), claims: claims(request, fleet))
    }

    private func permissions(_ request: EngineRequest, _ fleet: Fleet) -> Set<Permission> {
        let fields = request.mask.fields
        return switch self {
        case .createTrip: [.createTrip]
        case .getTrip: [.getTrip]
        case .updateTrip where fields.isDisjoint(with: ["tripStatus", "intermediateDestinationIndex"]): [.updateTrip]
        case .updateTrip: [.updateTrip, .updateTripState]
        case .deleteTrip: [.deleteTrip]
        case .searchTrips: [.searchTrips]
        case .createVehicle: [.createVehicle]
        case .getVehicle: [.getVehicle]
        case .updateVehicle where fields.isSubset(of: Tables.vehicle.names(.report)): [.updateVehicleLocation]
        case .updateVehicle: [.updateVehicle]
        case .deleteVehicle: [.deleteVehicle]
        case .listVehicles: [.listVehicles]
        case .searchVehicles: [.searchVehicles]
        case .createDeliveryVehicle: [.createDeliveryVehicle]
        case .getDeliveryVehicle: [.getDeliveryVehicle]
        case .updateDeliveryVehicle: fleet.permissions(for: request)
        case .deleteDeliveryVehicle: [.deleteDeliveryVehicle]
        case .listDeliveryVehicles: [.listDeliveryVehicles]
        case .createTask, .batchCreateTasks: [.createTask]
        case .getTask: [.getTask]
        case .updateTask where fields.isSubset(of: Tables.task.names(.report)): [.updateTaskOutcome]
        case .updateTask: [.updateTask]
        case .deleteTask: [.deleteTask]
        case .listTasks: [.listTasks]
        case .getTaskTrackingInfo: [.getTaskTrackingInfo]
        }
    }

    private func claims(_ request: EngineRequest, _ fleet: Fleet) -> [Need.Claim] {
        let (id, collection) = (request.name.id, route.collection)
        switch self {
        // A driver finds the trips of the driver's vehicle.
        case .searchTrips where request.body.has("vehicleId"):
            return [.every(.trip), .id(.vehicle, request.body.text("vehicleId"))]
        case .searchVehicles:
            let trip = request.body.text("tripId")
            return [trip.isEmpty ? .any(.trip) : .id(.trip, trip), .every(.vehicle)]
        case .createTask: return [.id(.task, request.newID), .ids(.tasks, [request.newID])]
        case .batchCreateTasks:
            return [.every(.task), .ids(.tasks, request.body.messages("requests").map { $0.text("taskId") })]
        // A task's own claim, that of the vehicle that has it, and that of its recipient.
        case .getTask, .updateTask:
            let task = fleet.tasks[request.name.text] ?? Message()
            var claims = [Need.Claim.id(.task, id)]
            if task.has("deliveryVehicleId") { claims.append(.id(.deliveryVehicle, task.text("deliveryVehicleId"))) }
            if self == .getTask, task.has("trackingId") { claims.append(.id(.tracking, task.text("trackingId"))) }
            return claims
        // The other form of a recipient's token names the task.
        case .getTaskTrackingInfo:
            let tasks = fleet.tracked[request.name.text] ?? []
            return [.id(.tracking, id)] + tasks.map { .id(.task, $0.resourceID) }
        case .createTrip, .createVehicle, .createDeliveryVehicle: return [.id(collection.claim, request.newID)]
        default: return [route.isOfOne ? .id(collection.claim, id) : .every(collection.claim)]
        }
    }
}
