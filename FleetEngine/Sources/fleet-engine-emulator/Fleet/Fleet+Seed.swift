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
        let name = try ResourceName(parsing: resource.name, in: collection)
        let methods = Method.all.filter { $0.route.collection == collection }
        guard let creation = methods.first(where: \.route.isCreation), case .resource(let table) = creation.route.body,
            let update = methods.first(where: \.route.isUpdate)
        else { return }
        var new = Message()
        for field in table.names(.creation) { new[field] = resource[field] }
        // A task is open until it is closed.
        if collection == .tasks { new["state"] = .string("OPEN") }
        let id: Message = [collection.newID: .string(name.id)]
        _ = try creation.respond(&self, MethodRequest(name: name, parameters: id, body: new, now: now))
        let rest = resource.fields.keys.filter { !table.names(.output).contains($0) && resource[$0] != new[$0] }
        guard !rest.isEmpty else { return }
        let mask: Message = ["updateMask": .string(rest.joined(separator: ","))]
        _ = try update.respond(&self, MethodRequest(name: name, parameters: mask, body: resource, now: now))
    }
}
