import EngineCoding
import FleetToken

extension Fleet {
    /// Returns the vehicles near a pickup point that match.
    func searchVehicles(_ request: EngineRequest) throws(EngineError) -> Message {
        let search = request.body
        try search.checkSearch()
        let filter = try Filter(search.text("filter"))
        let prefix = Collection.vehicles.name("", of: request.provider)
        let radius = search.number("pickupRadiusMeters") ?? 0
        let candidates = vehicles.values.compactMap { record -> VehicleCandidate? in
            let vehicle = record.vehicle
            guard vehicle.name.utf8.starts(with: prefix.utf8), search.accepts(vehicle, at: request.now),
                filter.matches(vehicle.attribute),
                let type = matchType(of: vehicle, for: search, of: request.provider),
                let candidate = VehicleCandidate(record, type: type, for: search, at: request.now)
            else { return nil }
            return candidate.straightDistance <= radius ? candidate : nil
        }
        let order = search.text("orderBy")
        let found = candidates.sorted { ($0.order(order), $0.vehicle.name) < ($1.order(order), $1.vehicle.name) }
            .prefix(Int(search.integer("count") ?? 0))
        return ["matches": .list(found.map { $0.match(response($0.record, at: request.now), search) })]
    }

    /// Returns how a vehicle would serve a trip; nil if it cannot because of the trips that it has.
    private func matchType(of vehicle: Message, for search: Message, of provider: String) -> String? {
        let current = vehicle.texts("currentTrips").compactMap { trips[Collection.trips.name($0, of: provider)]?.trip }
        guard !current.isEmpty else { return "EXCLUSIVE" }
        switch search.text("currentTripsPresent") {
        case "ANY": guard current.count <= 5, vehicle.messages("waypoints").count <= 10 else { return nil }
        case "NONE": return nil
        default:
            guard search.flag("includeBackToBack"), vehicle.flag("backToBackEnabled"), current.count == 1,
                current[0].text("tripStatus") == "ENROUTE_TO_DROPOFF"
            else { return nil }
        }
        guard search.texts("tripTypes") == ["SHARED"] else { return "BACK_TO_BACK" }
        // It finishes an exclusive trip first; it shares others with the passengers whom it has.
        guard current.allSatisfy({ $0.text("tripType") == "SHARED" }) else { return "CARPOOL_BACK_TO_BACK" }
        let passengers = current.reduce(0) { $0 + ($1.integer("numberOfPassengers") ?? 0) }
        let free = (vehicle.integer("maximumCapacity") ?? 0) - passengers
        return free >= search.integer("minimumCapacity") ?? 0 ? "CARPOOL" : nil
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
        guard !has("currentTripsPresent") || !flag("includeBackToBack") else {
            throw .forbidden("include_back_to_back", "cannot be true with current_trips_present")
        }
        guard has("orderBy") else { throw .missing("order_by", "must be set") }
        guard text("orderBy") != "DROPOFF_POINT_ETA" || has("dropoffPoint") else {
            throw .invalid("order_by", "can be DROPOFF_POINT_ETA only with a dropoff_point")
        }
    }

    /// Returns whether a vehicle suits a search, whatever trips it has.
    fileprivate func accepts(_ vehicle: Message, at now: Timestamp) -> Bool {
        let category = vehicle.message("vehicleType")?.text("category")
        let age = vehicle.message("lastLocation")?.age(at: now) ?? .infinity
        return vehicle.text("vehicleState") == "ONLINE"
            && vehicle.integer("maximumCapacity") ?? 0 >= integer("minimumCapacity") ?? 0
            && texts("tripTypes").allSatisfy(vehicle.texts("supportedTripTypes").contains)
            && messages("vehicleTypes").contains { $0.text("category") == category }
            && age <= duration("maximumStaleness") ?? 300
    }
}
