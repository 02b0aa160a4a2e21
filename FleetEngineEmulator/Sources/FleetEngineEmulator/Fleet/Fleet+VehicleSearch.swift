import SwiftProtobuf

extension Fleet {
    /// Returns the vehicles near a pickup point that match.
    func searchVehicles(
        _ request: ProtoSearchVehiclesRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoSearchVehiclesResponse {
        try Self.check(request)
        let filter = try Filter(request.filter, fields: [])
        let prefix = Collection.vehicles.name("", of: request.parent.resourceID)
        let pickup = request.pickupPoint.point
        var found: [(distance: Double, record: VehicleRecord)] = []
        for record in vehicles.values {
            let vehicle = record.vehicle
            guard vehicle.name.utf8.starts(with: prefix.utf8), vehicle.hasLastLocation,
                Self.suits(vehicle, request, now),
                filter.matches(vehicle.attribute)
            else { continue }
            let distance = Estimate.distance(vehicle.lastLocation.location, pickup)
            if distance <= Double(request.pickupRadiusMeters) { found.append((distance, record)) }
        }
        // On straight lines at one speed, all orders are that of the distance.
        found.sort { ($0.distance, $0.record.vehicle.name) < ($1.distance, $1.record.vehicle.name) }
        return .with {
            $0.matches = found.prefix(Int(request.count)).map { match($0.record, $0.distance, request, now) }
        }
    }

    private static func check(_ request: ProtoSearchVehiclesRequest) throws(EngineError) {
        guard request.hasPickupPoint, request.pickupPoint.hasPoint else {
            throw .field(.fieldMissing, "pickup_point", "must be set")
        }
        try request.pickupPoint.point.check("pickup_point")
        guard (400...10_000).contains(request.pickupRadiusMeters) else {
            throw .field(.fieldInvalid, "pickup_radius_meters", "must be from 400 to 10000")
        }
        guard (1...50).contains(request.count) else { throw .field(.fieldInvalid, "count", "must be from 1 to 50") }
        guard request.minimumCapacity >= 1 else {
            throw .field(.fieldInvalid, "minimum_capacity", "must be at least 1")
        }
        guard request.tripTypes.count == 1 else { throw .field(.fieldInvalid, "trip_types", "must be exactly one") }
        guard !request.vehicleTypes.isEmpty else {
            throw .field(.fieldMissing, "vehicle_types", "must have at least one type")
        }
        guard request.tripTypes != [.shared] || request.hasDropoffPoint else {
            throw .field(.fieldMissing, "dropoff_point", "must be set for SHARED trips")
        }
        guard request.orderBy != .unknownVehicleMatchOrder else {
            throw .field(.fieldMissing, "order_by", "must be set")
        }
    }

    private static func suits(_ vehicle: ProtoVehicle, _ request: ProtoSearchVehiclesRequest, _ now: Timestamp) -> Bool
    {
        let staleness = request.hasMaximumStaleness ? request.maximumStaleness.inSeconds : 300
        let has: (ProtoVehicleAttribute) -> Bool = { wanted in
            vehicle.attributes.contains { $0.key == wanted.key && $0.value == wanted.normalized.value }
        }
        return vehicle.vehicleState == .online
            && vehicle.maximumCapacity >= request.minimumCapacity
            && request.tripTypes.allSatisfy(vehicle.supportedTripTypes.contains)
            && request.vehicleTypes.contains { $0.category == vehicle.vehicleType.category }
            && (vehicle.currentTrips.isEmpty || request.currentTripsPresent == .any
                || (request.includeBackToBack && vehicle.backToBackEnabled))
            && now.seconds(since: vehicle.lastLocation.serverTime) <= staleness
            && request.requiredAttributes.allSatisfy(has)
            && request.requiredOneOfAttributes.allSatisfy { $0.attributes.contains(where: has) }
            && (request.requiredOneOfAttributeSets.isEmpty
                || request.requiredOneOfAttributeSets.contains { $0.attributes.allSatisfy(has) })
    }

    private func match(
        _ record: VehicleRecord,
        _ distance: Double,
        _ request: ProtoSearchVehiclesRequest,
        _ now: Timestamp
    ) -> ProtoVehicleMatch {
        .with {
            $0.vehicle = answer(record, at: now)
            $0.vehiclePickupEta = now.adding(Estimate.duration(meters: distance))
            $0.vehiclePickupDistanceMeters = .init(meters: distance)
            $0.vehiclePickupStraightLineDistanceMeters = .init(meters: distance)
            if request.hasDropoffPoint {
                let ride = Estimate.distance(request.pickupPoint.point, request.dropoffPoint.point)
                $0.vehiclePickupToDropoffDistanceMeters = .init(meters: ride)
                $0.vehicleDropoffEta = now.adding(Estimate.duration(meters: distance + ride))
            }
            $0.tripType = request.tripTypes[0]
            $0.vehicleMatchType = record.vehicle.currentTrips.isEmpty ? .exclusive : .backToBack
            $0.requestedOrderedBy = request.orderBy
            $0.orderedBy = request.orderBy
        }
    }

    /// Returns a page of the vehicles that match.
    func listVehicles(
        _ request: ProtoListVehiclesRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoListVehiclesResponse {
        let filter = try Filter(request.filter, fields: [])
        guard !request.vehicleTypeCategories.isEmpty else {
            throw .field(.fieldMissing, "vehicle_type_categories", "must have at least one category")
        }
        let prefix = Collection.vehicles.name("", of: request.parent.resourceID)
        let matches = vehicles.values.filter { record in
            record.vehicle.name.utf8.starts(with: prefix.utf8) && Self.suits(record.vehicle, request, now)
                && filter.matches(record.vehicle.attribute)
        }
        let page = try Page(matches, by: \.vehicle.name, size: request.pageSize, token: request.pageToken)
        return .with {
            $0.vehicles = page.elements.map { answer($0, at: now) }
            $0.nextPageToken = page.nextToken
            $0.totalSize = Int64(matches.count)
        }
    }

    private static func suits(_ vehicle: ProtoVehicle, _ request: ProtoListVehiclesRequest, _ now: Timestamp) -> Bool {
        let attributes = Set(vehicle.attributes.map { "\($0.key):\($0.value)" })
        let splits = { (text: String) in text.split(separator: ",").map(String.init) }
        return request.vehicleTypeCategories.contains(vehicle.vehicleType.category)
            && (!request.hasMinimumCapacity || vehicle.maximumCapacity >= request.minimumCapacity.value)
            && (request.tripTypes.isEmpty || request.tripTypes.contains(where: vehicle.supportedTripTypes.contains))
            && (!request.hasMaximumStaleness
                || (vehicle.hasLastLocation
                    && now.seconds(since: vehicle.lastLocation.serverTime) <= request.maximumStaleness.inSeconds))
            && (request.vehicleState == .unknownVehicleState || request.vehicleState == vehicle.vehicleState)
            && (!request.onTripOnly || !vehicle.currentTrips.isEmpty)
            && request.requiredAttributes.allSatisfy(attributes.contains)
            && request.requiredOneOfAttributes.allSatisfy { splits($0).contains(where: attributes.contains) }
            && (request.requiredOneOfAttributeSets.isEmpty
                || request.requiredOneOfAttributeSets.contains { splits($0).allSatisfy(attributes.contains) })
            && (!request.hasViewport
                || (vehicle.hasLastLocation && request.viewport.contains(vehicle.lastLocation.location)))
    }
}

extension ProtoVehicle {
    /// The value of an attribute by its name in a filter; nil if there is none.
    fileprivate func attribute(_ field: String) -> String? {
        attributes.first { "attributes.\($0.key)" == field }?.value
    }
}

extension ProtoViewport {
    /// Returns whether a place is inside.
    func contains(_ point: ProtoLatLng) -> Bool {
        guard low.latitude <= point.latitude, point.latitude <= high.latitude else { return false }
        // A box across the antimeridian begins in the east.
        return low.longitude <= high.longitude
            ? (low.longitude...high.longitude).contains(point.longitude)
            : point.longitude >= low.longitude || point.longitude <= high.longitude
    }
}
