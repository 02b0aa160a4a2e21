#if Emulator
import StrictCoding
import SwiftProtobuf

extension ControlResponder {
    /// All resources, each list in the JSON of the API.
    func state() throws(EngineError) -> [UInt8] {
        let fleet = engine.withFleet { $0 }
        var json = Array("{".utf8)
        try Self.append("trips", fleet.trips.values.map(\.trip), to: &json)
        json += Array(",".utf8)
        try Self.append("vehicles", fleet.vehicles.values.map(\.vehicle), to: &json)
        json += Array(",".utf8)
        try Self.append("deliveryVehicles", Array(fleet.deliveryVehicles.values), to: &json)
        json += Array(",".utf8)
        try Self.append("tasks", Array(fleet.tasks.values), to: &json)
        return json + Array("}".utf8)
    }

    private static func append(_ name: String, _ messages: [some Message], to json: inout [UInt8]) throws(EngineError) {
        json += Array("\"\(name)\":[".utf8)
        do {
            let texts = try messages.map { try $0.jsonUTF8Bytes() as [UInt8] }
            json += texts.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: Array(",".utf8))
        } catch {
            throw EngineError(.fault, .internal, "The state cannot be written as JSON.")
        }
        json += Array("]".utf8)
    }

    /// Replaces all resources by those that ``state()`` returned.
    func setState(_ body: [UInt8]) throws(EngineError) -> [UInt8] {
        let object = try Self.object(body)
        let now = engine.clock.now
        var fleet = Fleet()
        for trip in try Self.messages("trips", in: object, as: ProtoTrip.self) {
            try trip.checkImport()
            fleet.trips[trip.name] = .init(trip: trip, updated: now)
        }
        for vehicle in try Self.messages("vehicles", in: object, as: ProtoVehicle.self) {
            try vehicle.checkImport()
            let version = vehicle.hasCurrentRouteSegmentVersion ? vehicle.currentRouteSegmentVersion : nil
            fleet.vehicles[vehicle.name] = .init(vehicle: vehicle, trafficVersion: version)
        }
        for vehicle in try Self.messages("deliveryVehicles", in: object, as: ProtoDeliveryVehicle.self) {
            try vehicle.checkImport()
            fleet.deliveryVehicles[vehicle.name] = vehicle
        }
        for task in try Self.messages("tasks", in: object, as: ProtoTask.self) {
            try task.checkImport()
            fleet.insert(task)
        }
        engine.withFleet { [fleet] in $0 = fleet }
        return Self.done
    }

    private static func messages<M: Message>(
        _ name: String,
        in object: JSONObject,
        as type: M.Type
    ) throws(EngineError) -> [M] {
        var messages: [M] = []
        for value in object[name]?.arrayValue ?? [] {
            var writer = JSONWriter()
            writer.value(value)
            do {
                messages.append(try M(jsonUTF8Bytes: writer.bytes))
            } catch {
                throw EngineError.field(.bodyMalformed, name, "has an element that is not a \(M.protoMessageName)")
            }
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
#endif
