import EngineCoding
import FleetToken

extension Tables {
    /// The file of `--seed`: resources as the API has them.
    static let seed = Table(fields: [
        ("vehicles", .list(.message(vehicle))), ("trips", .list(.message(trip))), ("tasks", .list(.message(task))),
        ("deliveryVehicles", .list(.message(deliveryVehicle))),
    ])
}

extension Fleet {
    /// Creates the resources of a message of ``Tables/seed`` as a backend does: by their methods, one after the other.
    ///
    /// Trips come after their vehicles, and delivery vehicles after their tasks.
    init(seed: Message, at now: Timestamp) throws(EngineError) {
        self.init()
        for collection in [Collection.vehicles, .trips, .tasks, .deliveryVehicles] {
            for (index, resource) in seed.messages(collection.rawValue).enumerated() {
                do throws(EngineError) {
                    try add(resource, to: collection, at: now)
                } catch {
                    let place = resource.name.isEmpty ? "\(collection.rawValue)[\(index)]" : resource.name.beginning
                    throw EngineError(error.rule, "\(place): \(error.message)")
                }
            }
        }
    }

    /// Creates a resource, and updates it with what a creation cannot have.
    private mutating func add(_ resource: Message, to collection: Collection, at now: Timestamp) throws(EngineError) {
        let name = try ResourceName(resource.name, in: collection)
        guard let table = collection.table else { return }
        var new = Message()
        for field in table.names(.creation) { new[field] = resource[field] }
        // A task is open until it is closed.
        if collection == .tasks { new["state"] = .string("OPEN") }
        let mask = resource.fields.keys.filter { field in
            !table.names(.output).contains(field) && resource[field] != new[field]
        }
        let creation = MethodRequest(
            name: try ResourceName("providers/\(name.provider)", in: nil),
            parameters: [collection.newID: .string(name.id)],
            body: new,
            now: now
        )
        let update = MethodRequest(
            name: name,
            parameters: ["updateMask": .string(mask.joined(separator: ","))],
            body: resource,
            now: now
        )
        try perform(creation, update.mask.fields.isEmpty ? nil : update, in: collection)
    }

    private mutating func perform(
        _ creation: MethodRequest,
        _ update: MethodRequest?,
        in collection: Collection
    ) throws(EngineError) {
        switch collection {
        case .vehicles:
            _ = try createVehicle(creation)
            if let update { _ = try updateVehicle(update) }
        case .trips:
            _ = try createTrip(creation)
            if let update { _ = try updateTrip(update) }
        case .tasks:
            _ = try createTask(creation)
            if let update { _ = try updateTask(update) }
        case .deliveryVehicles:
            _ = try createDeliveryVehicle(creation)
            if let update { _ = try updateDeliveryVehicle(update) }
        case .taskTrackingInfo: break
        }
    }
}

extension Collection {
    /// What its resources have; nil for what is not stored.
    fileprivate var table: Table? {
        switch self {
        case .trips: Tables.trip
        case .vehicles: Tables.vehicle
        case .deliveryVehicles: Tables.deliveryVehicle
        case .tasks: Tables.task
        case .taskTrackingInfo: nil
        }
    }
}
