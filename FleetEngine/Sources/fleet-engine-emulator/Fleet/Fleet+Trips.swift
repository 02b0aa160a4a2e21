import SwiftProtobuf

extension Fleet {
    /// Creates a trip; it begins with the status `NEW`, whatever the request says.
    mutating func createTrip(_ request: ProtoCreateTripRequest, at now: Timestamp) throws(EngineError) -> ProtoTrip {
        let provider = request.parent.resourceID
        try ResourceName.check(request.tripID, "trip_id")
        let name = Collection.trips.name(request.tripID, of: provider)
        try Self.check(request.trip)
        guard trips[name] == nil else { throw .alreadyExists(name) }
        var trip = ProtoTrip()
        trip.name = name
        trip.tripStatus = .new
        trip.tripType = request.trip.tripType
        trip.vehicleID = request.trip.vehicleID
        trip.pickupPoint = request.trip.pickupPoint
        if request.trip.hasDropoffPoint { trip.dropoffPoint = request.trip.dropoffPoint }
        trip.intermediateDestinations = request.trip.intermediateDestinations
        if !trip.intermediateDestinations.isEmpty { trip.intermediateDestinationsVersion = now.version(after: nil) }
        trip.numberOfPassengers = max(1, request.trip.numberOfPassengers)
        if !trip.vehicleID.isEmpty {
            let order = request.trip.vehicleWaypoints
            try assign(trip, order: order.isEmpty ? nil : order, of: provider, at: now)
        }
        let record = TripRecord(trip: trip, updated: now)
        trips[name] = record
        var detail = TripDetail()
        detail.hasVehicleWaypoints = true
        return response(record, of: provider, at: now, detail)
    }

    private static func check(_ trip: ProtoTrip) throws(EngineError) {
        guard [.shared, .exclusive].contains(trip.tripType) else {
            throw .missing("trip.trip_type", "must be SHARED or EXCLUSIVE")
        }
        guard trip.hasPickupPoint else { throw .missing("trip.pickup_point", "must be set") }
        try checkDestinations(trip)
    }

    static func checkDestinations(_ trip: ProtoTrip) throws(EngineError) {
        if trip.hasPickupPoint { try trip.pickupPoint.check("trip.pickup_point") }
        if trip.hasDropoffPoint { try trip.dropoffPoint.check("trip.dropoff_point") }
        for (index, destination) in trip.intermediateDestinations.enumerated() {
            try destination.check("trip.intermediate_destinations[\(index)]")
        }
        guard trip.intermediateDestinations.isEmpty || trip.tripType == .exclusive else {
            throw .invalid("trip.intermediate_destinations", "is for EXCLUSIVE trips only")
        }
    }

    /// Returns a trip, without what has not changed since the request's versions.
    func getTrip(_ request: ProtoGetTripRequest, at now: Timestamp) throws(EngineError) -> ProtoTrip {
        guard let record = trips[request.name] else { throw .notFound(request.name) }
        return response(record, of: request.name.providerID, at: now, TripDetail(request))
    }

    /// Fields of a trip that only responses have.
    private static let outputOnly: Set<String> = [
        "name", "pickup_time", "dropoff_time", "intermediate_destinations_version", "remaining_waypoints", "route",
        "current_route_segment", "current_route_segment_version", "current_route_segment_traffic",
        "current_route_segment_traffic_version", "current_route_segment_end_point", "remaining_distance_meters",
        "eta_to_first_waypoint", "remaining_time_to_first_waypoint", "remaining_waypoints_version",
        "remaining_waypoints_route_version", "last_location", "view",
    ]

    /// Changes a trip, and the waypoints of its vehicle with it.
    mutating func updateTrip(_ request: ProtoUpdateTripRequest, at now: Timestamp) throws(EngineError) -> ProtoTrip {
        let mask = UpdateMask(request.updateMask)
        let provider = request.name.providerID
        guard var record = trips[request.name] else { throw .notFound(request.name) }
        let old = record.trip
        try mask.apply(
            from: request.trip,
            to: &record.trip,
            outputOnly: Self.outputOnly,
            ignored: ["last_location_snappable"]
        )
        try Self.checkUpdate(of: old, to: record.trip, mask.fields)
        try Self.checkVersion(request.trip, mask.fields, of: old)
        if record.trip.intermediateDestinations.isEmpty { record.trip.intermediateDestinationIndex = 0 }
        let order = record.trip.vehicleWaypoints
        record.trip.forgetInput()
        record.trip.pass(from: old, at: now)
        record.updated = now
        // First what may be refused: then nothing has changed.
        if !record.trip.vehicleID.isEmpty, !(old.isOver && record.trip.isOver) {
            try assign(record.trip, order: order.isEmpty ? nil : order, of: provider, at: now)
        }
        if old.vehicleID != record.trip.vehicleID { unassign(old, of: provider, at: now) }
        trips[request.name] = record
        var detail = TripDetail()
        detail.hasVehicleWaypoints = true
        return response(record, of: provider, at: now, detail)
    }

    private static func checkUpdate(
        of old: ProtoTrip,
        to trip: ProtoTrip,
        _ fields: Set<String>
    ) throws(EngineError) {
        guard !fields.contains("number_of_passengers") else {
            throw .immutable("trip.number_of_passengers", "cannot be changed")
        }
        let statuses = ProtoTripStatus.allCases
        guard statuses.contains(trip.tripStatus), trip.tripStatus != .unknownTripStatus else {
            throw .invalid("trip.trip_status", "is not a status")
        }
        let count = Int32(clamping: trip.intermediateDestinations.count)
        guard count == 0 || (0..<count).contains(trip.intermediateDestinationIndex) else {
            throw .invalid("trip.intermediate_destination_index", "is not that of a destination")
        }
        if !fields.isDisjoint(with: ["trip_type", "pickup_point"]) { try check(trip) }
        try checkDestinations(trip)
        if fields.contains("attributes") { try trip.attributes.check("trip.attributes") }
        try trip.checkActualPoints(fields)
    }

    /// Checks that the caller's destinations are those of the trip, when the vehicle leaves for one of them.
    private static func checkVersion(
        _ trip: ProtoTrip,
        _ fields: Set<String>,
        of old: ProtoTrip
    ) throws(EngineError) {
        let leaves = fields.contains("trip_status") && trip.tripStatus == .enrouteToIntermediateDestination
        guard leaves || fields.contains("intermediate_destination_index"), trip.hasIntermediateDestinationsVersion,
            !old.hasIntermediateDestinationsVersion
                || trip.intermediateDestinationsVersion != old.intermediateDestinationsVersion
        else { return }
        throw .refused(
            by: .versionDiffers,
            "trip.intermediate_destinations_version",
            "is not that of the trip: its destinations have changed. Get the trip and try again"
        )
    }

    /// Deletes a trip.
    mutating func deleteTrip(
        _ request: ProtoDeleteTripRequest,
        at now: Timestamp
    ) throws(EngineError) -> Google_Protobuf_Empty {
        guard let record = trips[request.name] else { throw .notFound(request.name) }
        guard record.trip.isOver || record.trip.vehicleID.isEmpty else {
            throw EngineError(.tripIsActive, "The trip is active and assigned to a vehicle.")
        }
        trips[request.name] = nil
        return Google_Protobuf_Empty()
    }

    /// Returns a page of the trips that match.
    func searchTrips(
        _ request: ProtoSearchTripsRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoSearchTripsResponse {
        let provider = request.parent.resourceID
        guard request.minimumStaleness.inSeconds >= 0 else { throw .invalid("minimum_staleness", "is negative") }
        var detail = TripDetail()
        detail.hasJourney = !request.vehicleID.isEmpty
        let prefix = Collection.trips.name("", of: provider)
        let matches = trips.values.filter { record in
            record.trip.name.utf8.starts(with: prefix.utf8)
                && (request.vehicleID.isEmpty || record.trip.vehicleID == request.vehicleID)
                && (!request.activeTripsOnly || (!record.trip.vehicleID.isEmpty && !record.trip.isOver))
                && (!request.hasMinimumStaleness
                    || now.seconds(since: record.updated) >= request.minimumStaleness.inSeconds)
        }
        let page = try Page(matches, by: \.trip.name, for: request)
        return .with {
            $0.trips = page.elements.map { response($0, of: provider, at: now, detail) }
            $0.nextPageToken = page.nextToken
        }
    }

    /// Accepts a report for billing.
    func reportBillableTrip(_ request: ProtoReportBillableTripRequest) throws(EngineError) -> Google_Protobuf_Empty {
        let letters = request.countryCode.utf8.map { $0 & 0xDF }
        guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw .missing("country_code", "must be the two letters of a country")
        }
        guard request.relatedIds.count <= 50 else { throw .invalid("related_ids", "has more than 50 values") }
        return Google_Protobuf_Empty()
    }
}
