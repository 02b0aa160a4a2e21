import SwiftProtobuf

extension Fleet {
    /// Returns a page of the vehicles that match.
    func listVehicles(
        _ request: ProtoListVehiclesRequest,
        at now: Timestamp
    ) throws(EngineError) -> ProtoListVehiclesResponse {
        try request.check()
        let filter = try Filter(request.filter)
        let prefix = Collection.vehicles.name("", of: request.parent.resourceID)
        let matches = vehicles.values.filter { record in
            record.vehicle.name.utf8.starts(with: prefix.utf8) && request.accepts(record.vehicle, at: now)
                && filter.matches(record.vehicle.attribute)
        }
        let page = try Page(matches, by: \.vehicle.name, for: request)
        return .with {
            $0.vehicles = page.elements.map { response($0, at: now) }
            $0.nextPageToken = page.nextToken
            $0.totalSize = Int64(matches.count)
        }
    }
}

extension ProtoListVehiclesRequest {
    /// Checks what the list is restricted to.
    fileprivate func check() throws(EngineError) {
        guard !vehicleTypeCategories.isEmpty else {
            throw .missing("vehicle_type_categories", "must have at least one category")
        }
        guard !vehicleTypeCategories.contains(.unknown) else {
            throw .invalid("vehicle_type_categories", "must not have UNKNOWN")
        }
        guard !hasMinimumCapacity || minimumCapacity.value >= 0 else {
            throw .invalid("minimum_capacity", "must be at least 0")
        }
        guard !hasMaximumStaleness || maximumStaleness.inSeconds > 0 else {
            throw .invalid("maximum_staleness", "must be positive")
        }
        if hasViewport { try viewport.check() }
        guard requiredAttributes.count <= 50 else { throw .invalid("required_attributes", "has more than 50 elements") }
        let lists = [
            ("required_attributes", requiredAttributes),
            ("required_one_of_attributes", requiredOneOfAttributes.flatMap(\.alternatives)),
            ("required_one_of_attribute_sets", requiredOneOfAttributeSets.flatMap(\.alternatives)),
        ]
        for (field, attributes) in lists {
            guard filter.isEmpty || attributes.isEmpty else {
                throw .forbidden("filter", "cannot be combined with \(field)")
            }
            guard attributes.allSatisfy({ $0.utf8.contains(UInt8(ascii: ":")) }) else {
                throw .invalid(field, "must have the form key:value")
            }
        }
    }

    /// Returns whether a vehicle is in the list.
    fileprivate func accepts(_ vehicle: ProtoVehicle, at now: Timestamp) -> Bool {
        let attributes = Set(vehicle.attributes.map { Array("\($0.key):\($0.text)".utf8) })
        let has = { (attribute: String) in attributes.contains(Array(attribute.utf8)) }
        return vehicleTypeCategories.contains(vehicle.vehicleType.category)
            && (!hasMinimumCapacity || vehicle.maximumCapacity >= minimumCapacity.value)
            && (tripTypes.isEmpty || tripTypes.contains(where: vehicle.supportedTripTypes.contains))
            && (!hasMaximumStaleness
                || (vehicle.hasLastLocation
                    && now.seconds(since: vehicle.lastLocation.serverTime) <= maximumStaleness.inSeconds))
            && (vehicleState == .unknownVehicleState || vehicleState == vehicle.vehicleState)
            && (!onTripOnly || !vehicle.currentTrips.isEmpty)
            && requiredAttributes.allSatisfy(has)
            && requiredOneOfAttributes.allSatisfy { $0.alternatives.contains(where: has) }
            && (requiredOneOfAttributeSets.isEmpty
                || requiredOneOfAttributeSets.contains { $0.alternatives.allSatisfy(has) })
            && (!hasViewport || (vehicle.hasLastLocation && viewport.contains(vehicle.lastLocation.location)))
    }
}

extension String {
    /// The attributes of a list such as `key1:value1|key2:value2`.
    fileprivate var alternatives: [String] {
        split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
}

extension ProtoVehicle {
    /// The value of an attribute by its name in a filter; nil if there is none.
    func attribute(_ field: String) -> Filter.Value? { attributes.value(of: field) }
}

extension ProtoViewport {
    /// Checks that it is not empty, as the docstring defines that.
    func check() throws(EngineError) {
        guard hasLow, hasHigh else { throw .missing("viewport", "must have low and high") }
        try low.check("viewport.low")
        try high.check("viewport.high")
        guard low.latitude <= high.latitude, low.longitude != 180 || high.longitude != -180 else {
            throw .invalid("viewport", "is empty: low must be the south-western corner")
        }
    }

    /// Returns whether a place is inside.
    func contains(_ point: ProtoLatLng) -> Bool {
        guard low.latitude <= point.latitude, point.latitude <= high.latitude else { return false }
        // A box across the antimeridian begins in the east.
        return low.longitude <= high.longitude
            ? (low.longitude...high.longitude).contains(point.longitude)
            : point.longitude >= low.longitude || point.longitude <= high.longitude
    }
}
