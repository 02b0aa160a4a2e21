import EngineCoding
import FleetToken

extension Fleet {
    /// Creates resources from a file: `{"trips": [], "vehicles": [], "deliveryVehicles": [], "tasks": []}`, each as the API has
    /// it.
    ///
    /// A list that is left out is empty; at least one is needed.
    init(state: [UInt8], now: Timestamp) throws(EngineError) {
        var members = try Members(state)
        let trips = try members.array("trips")
        let vehicles = try members.array("vehicles")
        let deliveryVehicles = try members.array("deliveryVehicles")
        let tasks = try members.array("tasks")
        try members.end()
        guard trips != nil || vehicles != nil || deliveryVehicles != nil || tasks != nil else {
            throw members.mistake("trips", "is missing, and so are vehicles, deliveryVehicles and tasks")
        }
        self.init()
        for trip in try Self.messages(trips, .trips, Tables.trip) {
            try Self.checkDestinations(trip)
            self.trips[trip.name] = .init(trip: trip, updated: now)
        }
        for vehicle in try Self.messages(vehicles, .vehicles, Tables.vehicle) {
            self.vehicles[vehicle.name] = vehicle
        }
        for vehicle in try Self.messages(deliveryVehicles, .deliveryVehicles, Tables.deliveryVehicle) {
            self.deliveryVehicles[vehicle.name] = vehicle
        }
        for task in try Self.messages(tasks, .tasks, Tables.task) {
            if task.has("trackingId") { try ResourceName.check(task.text("trackingId"), "tasks.tracking_id") }
            insert(task)
        }
    }

    private static func messages(
        _ values: [JSONValue]?,
        _ collection: Collection,
        _ table: Table
    ) throws(EngineError) -> [Message] {
        var messages: [Message] = []
        for (index, value) in (values ?? []).enumerated() {
            let path = FieldPath(root: "").appending(collection.rawValue).appending(index)
            let message = try table.read(value, at: path)
            _ = try ResourceName(message.name, in: collection)
            messages.append(message)
        }
        return messages
    }
}
