import SwiftProtobuf

extension Fleet {
    /// All resources, each list in the JSON of the API.
    func state() throws(EngineError) -> [UInt8] {
        var json = Array("{".utf8)
        try Self.append("trips", trips.values.map(\.trip), to: &json)
        json += Array(",".utf8)
        try Self.append("vehicles", vehicles.values.map(\.vehicle), to: &json)
        json += Array(",".utf8)
        try Self.append("deliveryVehicles", Array(deliveryVehicles.values), to: &json)
        json += Array(",".utf8)
        try Self.append("tasks", Array(tasks.values), to: &json)
        return json + Array("}".utf8)
    }

    private static func append(_ name: String, _ messages: [some Message], to json: inout [UInt8]) throws(EngineError) {
        json += Array("\"\(name)\":[".utf8)
        do {
            let texts = try messages.map { try $0.jsonUTF8Bytes() as [UInt8] }
            json += texts.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: Array(",".utf8))
        } catch {
            throw EngineError(.fault, code: .internal, "The state cannot be written as JSON.")
        }
        json += Array("]".utf8)
    }

    /// Creates the resources that ``state()`` returned.
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
        for trip in try Self.messages(trips, at: "trips", as: ProtoTrip.self) {
            try trip.checkImport()
            self.trips[trip.name] = .init(trip: trip, updated: now)
        }
        for vehicle in try Self.messages(vehicles, at: "vehicles", as: ProtoVehicle.self) {
            try vehicle.checkImport()
            let version = vehicle.hasCurrentRouteSegmentVersion ? vehicle.currentRouteSegmentVersion : nil
            self.vehicles[vehicle.name] = .init(vehicle: vehicle, trafficVersion: version)
        }
        for vehicle in try Self.messages(deliveryVehicles, at: "deliveryVehicles", as: ProtoDeliveryVehicle.self) {
            try vehicle.checkImport()
            self.deliveryVehicles[vehicle.name] = vehicle
        }
        for task in try Self.messages(tasks, at: "tasks", as: ProtoTask.self) {
            try task.checkImport()
            insert(task)
        }
    }

    private static func messages<M: Message>(
        _ values: [JSON]?,
        at name: String,
        as type: M.Type
    ) throws(EngineError) -> [M] {
        var messages: [M] = []
        for (index, value) in (values ?? []).enumerated() {
            messages.append(try M(strict: value, at: "\(name)[\(index)]"))
        }
        return messages
    }
}

// What is relied on in the rest: names of their form, and places on Earth.

extension ProtoTrip {
    fileprivate func checkImport() throws(EngineError) {
        _ = try ResourceName(name, in: .trips)
        try Fleet.checkDestinations(self)
    }
}

extension ProtoVehicle {
    fileprivate func checkImport() throws(EngineError) {
        _ = try ResourceName(name, in: .vehicles)
        try lastLocation.location.check("vehicles.last_location")
        for waypoint in waypoints { try waypoint.location.point.check("vehicles.waypoints") }
    }
}

extension ProtoDeliveryVehicle {
    fileprivate func checkImport() throws(EngineError) {
        _ = try ResourceName(name, in: .deliveryVehicles)
        try lastLocation.location.check("deliveryVehicles.last_location")
    }
}

extension ProtoTask {
    fileprivate func checkImport() throws(EngineError) {
        _ = try ResourceName(name, in: .tasks)
        if !trackingID.isEmpty { try ResourceName.check(trackingID, "tasks.tracking_id") }
        try plannedLocation.point.check("tasks.planned_location")
    }
}
