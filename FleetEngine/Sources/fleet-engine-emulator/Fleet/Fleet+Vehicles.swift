import EngineCoding
import FleetToken

extension Fleet {
    /// Creates a vehicle.
    mutating func createVehicle(_ request: EngineRequest) throws(EngineError) -> Message {
        let id = request.newID
        try ResourceName.check(id, "vehicle_id")
        let name = Collection.vehicles.name(id, of: request.provider)
        try request.body.checkVehicle(Set(Tables.vehicle.fields.map(\.name)))
        guard vehicles[name] == nil else { throw .alreadyExists(name) }
        var vehicle: Message = ["name": .string(name)]
        for field in Tables.vehicle.names(.creation) { vehicle[field] = request.body[field] }
        vehicle.complete(["attributes", "lastLocation"], at: request.now)
        vehicles[name] = vehicle
        return response(vehicle, at: request.now)
    }

    /// Returns a vehicle, without what has not changed since the request's versions.
    func getVehicle(_ request: EngineRequest) throws(EngineError) -> Message {
        guard let stored = vehicles[request.name.text] else { throw .notFound(request.name.text) }
        var vehicle = response(stored, at: request.now)
        for (field, version) in [
            ("currentRouteSegment", "currentRouteSegmentVersion"), ("waypoints", "waypointsVersion"),
        ]
        where vehicle.time(version)?.isKnown(by: request.parameters.time(version)) == true {
            vehicle[field] = nil
        }
        return vehicle
    }

    /// Returns a vehicle as a response has it.
    func response(_ vehicle: Message, at now: Timestamp) -> Message {
        let journey = Journey(vehicle, at: now)
        var vehicle = vehicle
        vehicle["currentRouteSegmentTraffic"] = nil
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
    mutating func updateVehicle(_ request: EngineRequest) throws(EngineError) -> Message {
        let (name, now, fields) = (request.name.text, request.now, request.mask.fields)
        guard let old = vehicles[name] else { throw .notFound(name) }
        var vehicle = old
        try request.mask.apply(from: request.body, to: &vehicle, Tables.vehicle)
        // Only what the mask names was sent now.
        try vehicle.checkVehicle(fields)
        vehicle.complete(fields, at: now)
        if fields.contains("currentRouteSegmentEndPoint") {
            vehicle.completeEndPoint(old, isIgnored: !fields.contains("currentRouteSegment"))
        }
        if fields.contains("remainingTimeSeconds"), let seconds = vehicle.number("remainingTimeSeconds") {
            vehicle["etaToFirstWaypoint"] = .time(now.adding(seconds))
        }
        vehicle.forgetInput(Tables.vehicle)
        if vehicle["currentRouteSegment"] != old["currentRouteSegment"] { vehicle.changeRoute(at: now) }
        vehicles[name] = vehicle
        return response(vehicle, at: now)
    }

    /// Deletes a vehicle.
    mutating func deleteVehicle(_ request: EngineRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let vehicle = vehicles[name] else { throw .notFound(name) }
        guard !vehicle.has("currentTrips") else {
            throw EngineError(.vehicleHasTrips, "The vehicle has active trips.")
        }
        vehicles[name] = nil
        return Message()
    }

    /// Returns a page of the vehicles that match.
    func listVehicles(_ request: EngineRequest) throws(EngineError) -> Message {
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
        let viewport = try query.message("viewport").map(Viewport.init)
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
                && (viewport.map { $0.contains(location?.point("location")) } ?? true)
        }
        return try Page(matches, for: query, by: \.name).response("vehicles", total: matches.count) {
            response($0, at: now)
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
        if fields.contains("attributes") { try checkAttributes("vehicle.attributes", maximum: 100) }
        if fields.contains("licensePlate"), let plate = message("licensePlate") { try plate.checkLicensePlate() }
    }

    private func checkLicensePlate() throws(EngineError) {
        guard has("countryCode") else { throw .missing("vehicle.license_plate.country_code", "must be set") }
        let last = text("lastCharacter")
        let isDigit = last.utf8.count == 1 && last.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard last.isEmpty || isDigit || last == "-1" else {
            throw .invalid("vehicle.license_plate.last_character", "must be a digit, or -1 for none")
        }
    }

    /// Completes fields that were sent.
    fileprivate mutating func complete(_ fields: Set<String>, at now: Timestamp) {
        if fields.contains("lastLocation") { receiveLocation(at: now) }
        if fields.contains("attributes") {
            self["attributes"] = .list(messages("attributes").map(\.normalizedAttribute))
        }
    }

    /// Completes the end of the segment with the waypoint that is there, or restores the old one if the field is ignored.
    fileprivate mutating func completeEndPoint(_ old: Self, isIgnored: Bool) {
        guard !isIgnored else {
            self["currentRouteSegmentEndPoint"] = old["currentRouteSegmentEndPoint"]
            return
        }
        guard let end = message("currentRouteSegmentEndPoint"), !end.has("tripId") else { return }
        let place = end.message("location")?.point("point")
        let waypoint = messages("waypoints").first { $0.message("location")?.point("point") == place }
        if let waypoint { self["currentRouteSegmentEndPoint"] = waypoint.json }
    }
}
