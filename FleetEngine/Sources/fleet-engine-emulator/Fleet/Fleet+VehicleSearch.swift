import SwiftProtobuf

extension Fleet {
    /// Returns the vehicles near a pickup point that match.
    func searchVehicles(
        _ request: ProtoSearchVehiclesRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoSearchVehiclesResponse {
        try request.check()
        let filter = try Filter(request.filter)
        let prefix = Collection.vehicles.name("", of: request.parent.resourceID)
        let candidates = vehicles.values.compactMap { record -> VehicleCandidate? in
            let vehicle = record.vehicle
            guard vehicle.name.utf8.starts(with: prefix.utf8), vehicle.hasLastLocation,
                request.accepts(vehicle, at: now), filter.matches(vehicle.attribute),
                let type = matchType(of: vehicle, for: request)
            else { return nil }
            let candidate = VehicleCandidate(vehicle, type: type, for: request, at: now)
            return candidate.straightDistance <= Double(request.pickupRadiusMeters) ? candidate : nil
        }
        let found = candidates.sorted {
            ($0.order(request.orderBy), $0.name) < ($1.order(request.orderBy), $1.name)
        }
        return .with {
            $0.matches = found.prefix(Int(request.count)).compactMap { candidate in
                vehicles[candidate.name].map { candidate.match(response($0, at: now), request) }
            }
        }
    }

    /// Returns how a vehicle would serve a trip; nil if it cannot because of the trips that it has.
    private func matchType(
        of vehicle: ProtoVehicle,
        for request: ProtoSearchVehiclesRequest
    ) -> ProtoVehicleMatch.VehicleMatchType? {
        let provider = vehicle.name.providerID
        let current = vehicle.currentTrips.compactMap { trips[Collection.trips.name($0, of: provider)]?.trip }
        guard !current.isEmpty else { return .exclusive }
        switch request.currentTripsPresent {
        case .any: guard current.count <= 5, vehicle.waypoints.count <= 10 else { return nil }
        case .unspecified:
            guard request.includeBackToBack, vehicle.backToBackEnabled, current.count == 1,
                current[0].tripStatus == .enrouteToDropoff
            else { return nil }
        case .none, .UNRECOGNIZED: return nil
        }
        guard request.tripTypes == [.shared] else { return .backToBack }
        // It finishes an exclusive trip first; it shares others with the passengers whom it has.
        guard current.allSatisfy({ $0.tripType == .shared }) else { return .carpoolBackToBack }
        let passengers = current.reduce(0) { $0 + Int64($1.numberOfPassengers) }
        return Int64(vehicle.maximumCapacity) - passengers >= Int64(request.minimumCapacity) ? .carpool : nil
    }
}

extension ProtoSearchVehiclesRequest {
    /// Checks what the search asks for.
    fileprivate func check() throws(EngineError) {
        guard hasPickupPoint else { throw .missing("pickup_point", "must be set") }
        try pickupPoint.check("pickup_point")
        if hasDropoffPoint { try dropoffPoint.check("dropoff_point") }
        guard (400...10_000).contains(pickupRadiusMeters) else {
            throw .invalid("pickup_radius_meters", "must be from 400 to 10000")
        }
        guard (1...50).contains(count) else { throw .invalid("count", "must be from 1 to 50") }
        guard minimumCapacity >= 1 else { throw .invalid("minimum_capacity", "must be at least 1") }
        guard tripTypes == [.shared] || tripTypes == [.exclusive] else {
            throw .invalid("trip_types", "must be exactly one, SHARED or EXCLUSIVE")
        }
        guard !vehicleTypes.isEmpty else { throw .missing("vehicle_types", "must have at least one type") }
        guard vehicleTypes.allSatisfy({ $0.category != .unknown }) else {
            throw .invalid("vehicle_types", "must not have the category UNKNOWN")
        }
        try checkTrips()
        guard requiredAttributes.count <= 50 else { throw .invalid("required_attributes", "has more than 50 elements") }
        let isPlain =
            requiredAttributes.isEmpty && requiredOneOfAttributes.isEmpty && requiredOneOfAttributeSets.isEmpty
        guard filter.isEmpty || isPlain else {
            throw .forbidden("filter", "cannot be combined with required attributes")
        }
        guard orderBy != .unknownVehicleMatchOrder else { throw .missing("order_by", "must be set") }
        guard orderBy != .dropoffPointEta || hasDropoffPoint else {
            throw .invalid("order_by", "can be DROPOFF_POINT_ETA only with a dropoff_point")
        }
    }

    private func checkTrips() throws(EngineError) {
        let isUnspecified = currentTripsPresent == .unspecified
        if tripTypes == [.shared] {
            guard hasDropoffPoint else { throw .missing("dropoff_point", "must be set for SHARED trips") }
            guard !isUnspecified else {
                throw .missing("current_trips_present", "must be NONE or ANY for SHARED trips")
            }
        }
        guard isUnspecified || !includeBackToBack else {
            throw .forbidden("include_back_to_back", "cannot be true with current_trips_present")
        }
    }

    /// Returns whether a vehicle suits, whatever trips it has.
    fileprivate func accepts(_ vehicle: ProtoVehicle, at now: Timestamp) -> Bool {
        let staleness = hasMaximumStaleness ? maximumStaleness.inSeconds : 300
        let has: (ProtoVehicleAttribute) -> Bool = { wanted in
            vehicle.attributes.contains { $0.key.hasSameBytes(as: wanted.key) && $0.text.hasSameBytes(as: wanted.text) }
        }
        return vehicle.vehicleState == .online
            && vehicle.maximumCapacity >= minimumCapacity
            && tripTypes.allSatisfy(vehicle.supportedTripTypes.contains)
            && vehicleTypes.contains { $0.category == vehicle.vehicleType.category }
            && now.seconds(since: vehicle.lastLocation.serverTime) <= staleness
            && requiredAttributes.allSatisfy(has)
            && requiredOneOfAttributes.allSatisfy { $0.attributes.contains(where: has) }
            && (requiredOneOfAttributeSets.isEmpty
                || requiredOneOfAttributeSets.contains { $0.attributes.allSatisfy(has) })
    }
}
