import EngineCoding
import FleetToken

extension Fleet {
    /// Creates a vehicle.
    mutating func createVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let id = request.parameters.text("vehicleId")
        try ResourceName.check(id, "vehicle_id")
        let name = Collection.vehicles.name(id, of: request.provider)
        try request.body.checkVehicle(Set(Tables.vehicle.fields.map(\.name)))
        guard vehicles[name] == nil else { throw .alreadyExists(name) }
        var vehicle: Message = ["name": .string(name)]
        for field in Tables.vehicle.names(.creation) { vehicle[field] = request.body[field] }
        vehicle.receiveLocation(at: request.now)
        vehicles[name] = vehicle
        return response(vehicle: vehicle, at: request.now)
    }

    /// Returns a vehicle.
    func getVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        guard let vehicle = vehicles[request.name.text] else { throw .notFound(request.name.text) }
        return response(vehicle: vehicle, at: request.now)
    }

    /// Returns a vehicle as a response has it.
    func response(vehicle: Message, at now: Timestamp) -> Message {
        let journey = Journey(vehicle, at: now)
        var vehicle = vehicle
        let hasSegment = vehicle.has("currentRouteSegment")
        // Both are about the segment, and unspecified without one.
        if !hasSegment { vehicle["remainingDistanceMeters"] = nil }
        if !hasSegment || !vehicle.has("waypoints") { vehicle["etaToFirstWaypoint"] = nil }
        guard let journey else { return vehicle }
        vehicle["waypoints"] = .list(journey.waypoints)
        guard hasSegment else { return vehicle }
        vehicle["etaToFirstWaypoint"] = .time(journey.eta)
        vehicle["remainingDistanceMeters"] = .meters(journey.distance)
        return vehicle
    }

    /// Changes a vehicle.
    mutating func updateVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let (name, now, fields) = (request.name.text, request.now, request.mask.fields)
        guard let old = vehicles[name] else { throw .notFound(name) }
        var vehicle = old
        try request.mask.apply(from: request.body, to: &vehicle, Tables.vehicle)
        // Only what the mask names was sent now.
        try vehicle.checkVehicle(fields)
        if fields.contains("lastLocation") { vehicle.receiveLocation(at: now) }
        if fields.contains("remainingTimeSeconds"), let seconds = vehicle.number("remainingTimeSeconds") {
            vehicle["etaToFirstWaypoint"] = .time(now.adding(seconds))
        }
        vehicle.removeInputOnlyFields(Tables.vehicle)
        if vehicle["currentRouteSegment"] != old["currentRouteSegment"] { vehicle.changeRoute(at: now) }
        vehicles[name] = vehicle
        return response(vehicle: vehicle, at: now)
    }

    /// Deletes a vehicle.
    mutating func deleteVehicle(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let vehicle = vehicles[name] else { throw .notFound(name) }
        guard !vehicle.has("currentTrips") else {
            throw EngineError(.vehicleHasTrips, "The vehicle has active trips.")
        }
        vehicles[name] = nil
        return Message()
    }

    /// Returns a page of the vehicles that match.
    func listVehicles(_ request: MethodRequest) throws(EngineError) -> Message {
        let (query, now) = (request.parameters, request.now)
        let categories = query.texts("vehicleTypeCategories")
        guard !categories.isEmpty else {
            throw .missing("vehicle_type_categories", "must have at least one category")
        }
        guard !categories.contains("UNKNOWN") else {
            throw .invalid("vehicle_type_categories", "must not have UNKNOWN")
        }
        let capacity = query.integer("minimumCapacity") ?? 0
        guard capacity >= 0 else { throw .invalid("minimum_capacity", "must be at least 0") }
        guard query.duration("maximumStaleness") ?? 1 > 0 else {
            throw .invalid("maximum_staleness", "must be positive")
        }
        let filter = try Filter(query.text("filter"))
        let prefix = Collection.vehicles.name("", of: request.provider)
        let types = query.texts("tripTypes")
        let matches = vehicles.values.filter { vehicle in
            let location = vehicle.message("lastLocation")
            return vehicle.name.utf8.starts(with: prefix.utf8) && filter.matches(vehicle.attribute)
                && categories.contains(vehicle.message("vehicleType")?.text("category") ?? "")
                && vehicle.integer("maximumCapacity") ?? 0 >= capacity
                && (types.isEmpty || types.contains(where: vehicle.texts("supportedTripTypes").contains))
                && (query.duration("maximumStaleness").map { location?.age(at: now) ?? .infinity <= $0 } ?? true)
                && (!query.has("vehicleState") || query["vehicleState"] == vehicle["vehicleState"])
                && (!query.flag("onTripOnly") || vehicle.has("currentTrips"))
        }
        return try Page(matches, for: query).response("vehicles", total: matches.count) {
            response(vehicle: $0, at: now)
        }
    }
}

extension Message {
    /// Returns how old a reported location is, in seconds.
    func age(at now: Timestamp) -> Double { time("serverTime").map { now.seconds(since: $0) } ?? .infinity }

    /// Checks the fields of a vehicle that were sent, beyond what its table says.
    fileprivate func checkVehicle(_ fields: Set<String>) throws(EngineError) {
        if fields.contains("vehicleState"), !has("vehicleState") {
            throw .missing("vehicle.vehicle_state", "must be ONLINE or OFFLINE")
        }
        if fields.contains("supportedTripTypes") {
            let types = texts("supportedTripTypes")
            guard !types.isEmpty else { throw .missing("vehicle.supported_trip_types", "must have at least one type") }
            guard !types.contains("UNKNOWN_TRIP_TYPE") else {
                throw .invalid("vehicle.supported_trip_types", "must have SHARED and EXCLUSIVE only")
            }
        }
        if fields.contains("maximumCapacity"), integer("maximumCapacity") ?? 0 < 1 {
            throw .missing("vehicle.maximum_capacity", "must be at least 1")
        }
        if fields.contains("vehicleType"), message("vehicleType")?.has("category") != true {
            throw .missing("vehicle.vehicle_type", "must have a category")
        }
    }
}
