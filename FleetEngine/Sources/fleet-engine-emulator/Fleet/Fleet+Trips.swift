import EngineCoding
import FleetToken

extension Fleet {
    /// Creates a trip; it begins with the status `NEW`, whatever the request says.
    mutating func createTrip(_ request: MethodRequest) throws(EngineError) -> Message {
        let id = request.parameters.text("tripId")
        try ResourceName.check(id, "trip_id")
        let name = Collection.trips.name(id, of: request.provider)
        try Self.check(request.body)
        guard trips[name] == nil else { throw .alreadyExists(name) }
        var trip: Message = ["name": .string(name), "tripStatus": .string("NEW")]
        for field in Tables.trip.names(.creation) { trip[field] = request.body[field] }
        if trip.has("intermediateDestinations") {
            trip["intermediateDestinationsVersion"] = .time(request.now.version(after: nil))
        }
        trip["numberOfPassengers"] = .integer(max(1, trip.integer("numberOfPassengers") ?? 1))
        if trip.has("vehicleId") { try assign(trip, at: request.now) }
        trips[name] = trip
        return response(trip: trip, at: request.now)
    }

    private static func check(_ trip: Message) throws(EngineError) {
        guard trip.has("tripType") else { throw .missing("trip.trip_type", "must be SHARED or EXCLUSIVE") }
        guard trip.has("pickupPoint") else { throw .missing("trip.pickup_point", "must be set") }
        try checkDestinations(trip)
    }

    private static func checkDestinations(_ trip: Message) throws(EngineError) {
        try trip.checkPoint("pickupPoint", "trip.pickup_point")
        try trip.checkPoint("dropoffPoint", "trip.dropoff_point")
        for (index, destination) in trip.messages("intermediateDestinations").enumerated() {
            guard destination.has("point") else {
                throw .missing("trip.intermediate_destinations[\(index)].point", "must be set")
            }
        }
        guard !trip.has("intermediateDestinations") || trip.text("tripType") == "EXCLUSIVE" else {
            throw .invalid("trip.intermediate_destinations", "is for EXCLUSIVE trips only")
        }
    }

    /// Returns a trip.
    func getTrip(_ request: MethodRequest) throws(EngineError) -> Message {
        guard let trip = trips[request.name.text] else { throw .notFound(request.name.text) }
        return response(trip: trip, at: request.now)
    }

    /// Changes a trip, and the waypoints of its vehicle with it.
    mutating func updateTrip(_ request: MethodRequest) throws(EngineError) -> Message {
        let (name, fields) = (request.name.text, request.mask.fields)
        guard let old = trips[name] else { throw .notFound(name) }
        var trip = old
        try request.mask.apply(from: request.body, to: &trip, Tables.trip)
        try Self.checkUpdate(to: trip, fields)
        try Self.checkVersion(request.body, fields, of: old)
        if !trip.has("intermediateDestinations") { trip["intermediateDestinationIndex"] = nil }
        trip.removeInputOnlyFields(Tables.trip)
        trip.recordActualTimes(from: old, at: request.now)
        // First what may be refused: then nothing has changed.
        if trip.has("vehicleId"), !(old.isOver && trip.isOver) { try assign(trip, at: request.now) }
        if old.text("vehicleId") != trip.text("vehicleId") { unassign(old, at: request.now) }
        trips[name] = trip
        return response(trip: trip, at: request.now)
    }

    private static func checkUpdate(to trip: Message, _ fields: Set<String>) throws(EngineError) {
        guard !fields.contains("numberOfPassengers") else {
            throw .refused(by: .fieldImmutable, "trip.number_of_passengers", "cannot be changed")
        }
        guard trip.has("tripStatus") else { throw .invalid("trip.trip_status", "is not a status") }
        let count = Int64(trip.messages("intermediateDestinations").count)
        guard count == 0 || (0..<count).contains(trip.integer("intermediateDestinationIndex") ?? 0) else {
            throw .invalid("trip.intermediate_destination_index", "is not that of a destination")
        }
        if !fields.isDisjoint(with: ["tripType", "pickupPoint"]) { try check(trip) }
        try checkDestinations(trip)
    }

    /// Checks that the caller's destinations are those of the trip, when the vehicle leaves for one of them.
    private static func checkVersion(
        _ trip: Message,
        _ fields: Set<String>,
        of old: Message
    ) throws(EngineError) {
        let leaves = fields.contains("tripStatus") && trip.text("tripStatus") == "ENROUTE_TO_INTERMEDIATE_DESTINATION"
        let version = trip.time("intermediateDestinationsVersion")
        guard leaves || fields.contains("intermediateDestinationIndex"), let version,
            version != old.time("intermediateDestinationsVersion")
        else { return }
        throw .refused(
            by: .versionDiffers,
            "trip.intermediate_destinations_version",
            "is not that of the trip: its destinations have changed. Get the trip and try again"
        )
    }

    /// Deletes a trip.
    mutating func deleteTrip(_ request: MethodRequest) throws(EngineError) -> Message {
        let name = request.name.text
        guard let trip = trips[name] else { throw .notFound(name) }
        guard trip.isOver || !trip.has("vehicleId") else {
            throw EngineError(.tripIsActive, "The trip is active and assigned to a vehicle.")
        }
        trips[name] = nil
        return Message()
    }

    /// Returns a page of the trips that match.
    func searchTrips(_ request: MethodRequest) throws(EngineError) -> Message {
        let query = request.body
        let prefix = Collection.trips.name("", of: request.provider)
        let matches = trips.values.filter { trip in
            trip.name.utf8.starts(with: prefix.utf8)
                && (!query.has("vehicleId") || trip.text("vehicleId") == query.text("vehicleId"))
                && (!query.flag("activeTripsOnly") || (trip.has("vehicleId") && !trip.isOver))
        }
        return try Page(matches, for: query).response("trips", total: nil) {
            response(trip: $0, at: request.now, hasJourney: query.has("vehicleId"))
        }
    }
}

extension Message {
    /// Sets the times that follow from a trip's status, and the version of its destinations.
    fileprivate mutating func recordActualTimes(from old: Message, at now: Timestamp) {
        if self["intermediateDestinations"] != old["intermediateDestinations"] {
            let version = now.version(after: old.time("intermediateDestinationsVersion"))
            self["intermediateDestinationsVersion"] = .time(version)
        }
        // The estimates are in responses only; these are the actual times.
        let hasPickedUp = [
            "ENROUTE_TO_DROPOFF", "ENROUTE_TO_INTERMEDIATE_DESTINATION", "ARRIVED_AT_INTERMEDIATE_DESTINATION",
            "COMPLETE",
        ]
        if hasPickedUp.contains(text("tripStatus")), !has("pickupTime") { self["pickupTime"] = .time(now) }
        if text("tripStatus") == "COMPLETE", !has("dropoffTime") { self["dropoffTime"] = .time(now) }
    }
}
