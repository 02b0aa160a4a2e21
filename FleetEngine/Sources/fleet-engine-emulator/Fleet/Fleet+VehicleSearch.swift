import EngineCoding
import FleetToken

extension Fleet {
    /// Returns the vehicles near a pickup point that match, the nearest first.
    ///
    /// All orders are that of the distance: each route is a straight line at one speed.
    func searchVehicles(_ request: MethodRequest) throws(EngineError) -> Message {
        let search = request.body
        try search.checkSearch()
        let filter = try Filter(search.text("filter"))
        let prefix = Collection.vehicles.name("", of: request.provider)
        let radius = search.number("pickupRadiusMeters") ?? 0
        guard let pickup = search.message("pickupPoint")?.point("point") else { return Message() }
        var found: [(vehicle: Message, distance: Double)] = []
        for vehicle in vehicles.values
        where vehicle.name.utf8.starts(with: prefix.utf8) && search.accepts(vehicle, at: request.now)
            && filter.matches(vehicle.attribute)
        {
            guard let here = vehicle.message("lastLocation")?.point("location") else { continue }
            let distance = Estimate.distance(here, pickup)
            if distance <= radius { found.append((vehicle, distance)) }
        }
        found.sort { ($0.distance, $0.vehicle.name) < ($1.distance, $1.vehicle.name) }
        let matches = found.prefix(Int(search.integer("count") ?? 0)).map { vehicle, distance in
            var match = search.match(vehicle, distance: distance, from: pickup, at: request.now)
            match["vehicle"] = response(vehicle: vehicle, at: request.now).json
            return match
        }
        return ["matches": .list(matches)]
    }
}

extension Message {
    /// Checks the fields of a search for vehicles.
    fileprivate func checkSearch() throws(EngineError) {
        guard has("pickupPoint") else { throw .missing("pickup_point", "must be set") }
        try checkPoint("pickupPoint", "pickup_point")
        try checkPoint("dropoffPoint", "dropoff_point")
        guard (400...10_000).contains(integer("pickupRadiusMeters") ?? 0) else {
            throw .invalid("pickup_radius_meters", "must be from 400 to 10000")
        }
        guard (1...50).contains(integer("count") ?? 0) else { throw .invalid("count", "must be from 1 to 50") }
        guard integer("minimumCapacity") ?? 0 >= 1 else { throw .invalid("minimum_capacity", "must be at least 1") }
        let (types, categories) = (texts("tripTypes"), messages("vehicleTypes"))
        guard types == ["SHARED"] || types == ["EXCLUSIVE"] else {
            throw .invalid("trip_types", "must be exactly one, SHARED or EXCLUSIVE")
        }
        guard !categories.isEmpty else { throw .missing("vehicle_types", "must have at least one type") }
        guard categories.allSatisfy({ $0.has("category") }) else {
            throw .invalid("vehicle_types", "must not have the category UNKNOWN")
        }
        if types == ["SHARED"] {
            guard has("dropoffPoint") else { throw .missing("dropoff_point", "must be set for SHARED trips") }
            guard has("currentTripsPresent") else {
                throw .missing("current_trips_present", "must be NONE or ANY for SHARED trips")
            }
        }
        guard !flag("includeBackToBack") else { throw .unimplemented("include_back_to_back") }
        guard has("orderBy") else { throw .missing("order_by", "must be set") }
        guard text("orderBy") != "DROPOFF_POINT_ETA" || has("dropoffPoint") else {
            throw .invalid("order_by", "can be DROPOFF_POINT_ETA only with a dropoff_point")
        }
    }

    /// Returns a match of a search, without the vehicle itself.
    fileprivate func match(_ vehicle: Message, distance: Double, from pickup: Point, at now: Timestamp) -> Message {
        let eta = now.adding(Estimate.duration(meters: distance))
        var match: Message = [
            "vehiclePickupEta": .time(eta), "vehiclePickupDistanceMeters": .meters(distance),
            "vehiclePickupStraightLineDistanceMeters": .meters(distance),
            "tripType": .string(texts("tripTypes").first ?? ""),
            "vehicleMatchType": vehicle.has("currentTrips") ? nil : .string("EXCLUSIVE"),
            "requestedOrderedBy": self["orderBy"], "orderedBy": self["orderBy"],
        ]
        if let dropoff = message("dropoffPoint")?.point("point") {
            let ride = Estimate.distance(pickup, dropoff)
            match["vehiclePickupToDropoffDistanceMeters"] = .meters(ride)
            match["vehicleDropoffEta"] = .time(eta.adding(Estimate.duration(meters: ride)))
        }
        return match
    }

    /// Returns whether a vehicle suits a search.
    fileprivate func accepts(_ vehicle: Message, at now: Timestamp) -> Bool {
        let category = vehicle.message("vehicleType")?.text("category")
        let age = vehicle.message("lastLocation")?.age(at: now) ?? .infinity
        return vehicle.text("vehicleState") == "ONLINE"
            && (text("currentTripsPresent") == "ANY" || !vehicle.has("currentTrips"))
            && vehicle.integer("maximumCapacity") ?? 0 >= integer("minimumCapacity") ?? 0
            && texts("tripTypes").allSatisfy(vehicle.texts("supportedTripTypes").contains)
            && messages("vehicleTypes").contains { $0.text("category") == category }
            && age <= duration("maximumStaleness") ?? 300
    }
}
